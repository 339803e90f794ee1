// Light or dark: as the system has it, until somebody chooses; then as chosen, in all tabs.
import { keep, kept } from "./kept";
import { useOutside } from "./outside";

export type Theme = "light" | "dark";
const KEPT = "sheaf.theme";
const watchers = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

function now(): Theme {
  const chosen = kept(KEPT);
  return chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
}

function show(): void {
  document.documentElement.dataset["theme"] = now();
  for (const told of watchers) told();
}

show();
system.addEventListener("change", show);
addEventListener("storage", (event) => {
  if (event.key === KEPT) show();
});

/** Choosing what the system has means to follow it again. */
export function choose(theme: Theme): void {
  keep(KEPT, theme === (system.matches ? "dark" : "light") ? null : theme);
  show();
}

export function useTheme(): Theme {
  return useOutside(now, (told) => {
    watchers.add(told);
    return () => watchers.delete(told);
  });
}
