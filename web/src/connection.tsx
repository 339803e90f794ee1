// Says that there is no connection, or no service behind it, while that is so, and that it is back for a moment after.
import { type QueryCache, useQueryClient } from "@tanstack/preact-query";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Offline, isPassing } from "./api";
import { useOutside } from "./outside";
import { t } from "./words";

const SHOWN_MS = 3_000;
type Lost = "" | "offline" | "refused";

/** What is wrong by what the queries in use have met. Before the next answer has come, it is what it was. */
function reader(cache: QueryCache): () => Lost {
  let before: Lost = "";
  return () => {
    const used = cache.getAll().filter((query) => query.getObserversCount() > 0);
    const errors = used.map(({ state }) => state.error ?? state.fetchFailureReason).filter(isPassing);
    const isAsking = used.some(({ state }) => state.data === undefined && state.fetchStatus === "fetching");
    if (!navigator.onLine || errors.some((error) => error instanceof Offline)) before = "offline";
    else if (errors.length) before = "refused";
    else if (!isAsking) before = "";
    return before;
  };
}

export function Connection() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const read = useMemo(() => reader(cache), [cache]);
  const lost = useOutside(read, (told) => {
    const again = () => {
      told();
      void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" || state.fetchFailureCount > 0 });
    };
    addEventListener("online", again);
    addEventListener("offline", told);
    const stop = cache.subscribe(told);
    return () => {
      removeEventListener("online", again);
      removeEventListener("offline", told);
      stop();
    };
  });
  const isBack = useBack(lost !== "");
  const kind = lost ? "lost" : isBack ? "back" : "";
  return (
    <div class={`connection ${kind}`} role="status">{lost ? t(lost) : isBack ? t("recovered") : ""}</div>
  );
}

/** True for a moment after it was lost. */
function useBack(isLost: boolean): boolean {
  const [isBack, setBack] = useState(false);
  const was = useRef(false);
  useEffect(() => {
    if (isLost) {
      was.current = true;
      return undefined;
    }
    if (!was.current) return undefined;
    was.current = false;
    setBack(true);
    const timer = setTimeout(() => setBack(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isLost]);
  return isBack;
}
