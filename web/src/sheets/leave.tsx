// Who goes elsewhere with changes that are not saved is asked. What a link leads to waits; the browser's own ways ask in its own words.
import { useEffect, useState } from "preact/hooks";
import { Question } from "../pieces";
import { go } from "../address";
import { s } from "./words";

let isPassing = false;
const PASSES_MS = 2_000;

/** A download is an address, but nobody leaves by it. */
export function passing(act: () => void): void {
  isPassing = true;
  act();
  setTimeout(() => (isPassing = false), PASSES_MS);
}

export function Leave({ here }: { here: string }) {
  const [to, set] = useState<string | null>(null);
  useEffect(() => {
    const close = (event: BeforeUnloadEvent) => {
      if (!isPassing) event.preventDefault();
    };
    const follow = (event: MouseEvent) => {
      const hash = (event.target as Element).closest?.<HTMLAnchorElement>("a[href^='#/']")?.getAttribute("href");
      if (!hash || hash.split("?")[0] === here || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      set(hash);
    };
    addEventListener("beforeunload", close);
    addEventListener("click", follow, true);
    return () => {
      removeEventListener("beforeunload", close);
      removeEventListener("click", follow, true);
    };
  }, [here]);
  if (to === null) return null;
  return <Question title={s("leaveTitle")} text={s("leaveText")} yes={s("leave")} no={s("stay")} act={() => Promise.resolve(go(to))} close={() => set(null)} />;
}
