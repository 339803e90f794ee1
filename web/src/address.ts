// The address is the state: #/{project}/{view}/{task}?query. Reading it and writing it; nothing else knows its form.
import { useMemo } from "preact/hooks";
import { useOutside } from "./outside";

export type View = "tasks" | "new" | "library" | "template" | "task" | "results" | "sheets" | "sheet";
export type Place = { project: string | null; view: View; task: string | null; query: Record<string, string> };

export function parse(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [project = "", view = "", task = "", step = ""] = path.split("/").map(decoded);
  const place = { project: project || null, task: null, query: Object.fromEntries(new URLSearchParams(query)) };
  if (view === "tasks" && task) return { ...place, view: step === "results" ? "results" : "task", task };
  if (view === "sheets" && task) return { ...place, view: "sheet", task };
  return { ...place, view: view === "sheets" || view === "new" || view === "library" || view === "template" ? view : "tasks" };
}

/** An address that somebody damaged leads to where nothing is found, and not to a blank page. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

export function href(place: Partial<Place> & { view: View; project: string | null }): string {
  const steps: string[] = [place.project ?? ""];
  if (place.view === "task" || place.view === "results") steps.push("tasks", place.task ?? "");
  else if (place.view === "sheet") steps.push("sheets", place.task ?? "");
  else steps.push(place.view);
  if (place.view === "results") steps.push("results");
  const told = Object.entries(place.query ?? {}).filter(([, value]) => value !== "");
  const query = told.length ? `?${new URLSearchParams(told)}` : "";
  return `#/${steps.map(encodeURIComponent).join("/")}${query}`;
}

export function go(to: string): void {
  location.hash = to;
}

/** As `go`, but the browser's Back does not come here again. */
export function replace(to: string): void {
  history.replaceState(history.state, "", to);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useAddress(): Place {
  const hash = useOutside(() => location.hash, watch);
  return useMemo(() => parse(hash), [hash]);
}

function watch(told: () => void): () => void {
  addEventListener("hashchange", told);
  return () => removeEventListener("hashchange", told);
}

/** Whether the browser is still at this step. What was asked here may be answered when somebody has gone elsewhere. */
export function isHere(place: Place): boolean {
  const now = parse(location.hash);
  return now.project === place.project && now.view === place.view && now.task === place.task;
}

type Covering = { covers?: boolean } | null;
let isLeaving = false;

/** As `turn`, but the browser's Back comes back from it: for what lies over the page until it is closed. */
export function cover(place: Place, query: Record<string, string>): void {
  if (!isHere(place)) return;
  const now = parse(location.hash);
  history.pushState({ covers: true }, "", href({ ...now, query: { ...now.query, ...query } }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Close it: where `cover` came from, with the rest of the query as it is now. */
export function uncover(place: Place, query: Record<string, string>): void {
  if (!(history.state as Covering)?.covers) return turn(place, query);
  if (isLeaving || !isHere(place)) return;
  const now = parse(location.hash);
  const after = href({ ...now, query: { ...now.query, ...query } });
  isLeaving = true;
  const arrived = () => {
    isLeaving = false;
    if (isHere(place)) replace(after);
  };
  addEventListener("popstate", arrived, { once: true });
  history.back();
}

/** Change some of the query as it is now and leave the rest; an empty text takes a name away. */
export function turn(place: Place, query: Record<string, string>): void {
  const now = parse(location.hash);
  if (isHere(place)) replace(href({ ...now, query: { ...now.query, ...query } }));
}
