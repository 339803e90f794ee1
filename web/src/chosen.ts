// The papers that were chosen, of each knowledge base: in the library and where a task is set up they are the same.
import { useState } from "preact/hooks";
import { keep, keptObject } from "./kept";

const place = (project: string, base: string) => `sheaf.chosen.${project}.${base}`;

export function useChosen(project: string, base: string) {
  const name = place(project, base);
  const [chosen, set] = useState(() => new Set(keptObject<string[]>(name, "sessionStorage") ?? []));
  const choose = (ids: Iterable<string>) => {
    const next = new Set(ids);
    keep(name, JSON.stringify([...next]), "sessionStorage");
    set(next);
  };
  return [chosen, choose] as const;
}

export function toggled(chosen: Set<string>, id: string): Set<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
