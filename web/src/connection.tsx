// Says that there is no connection while there is none, and that it is back for a moment after.
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useRef, useState } from "preact/hooks";
import { isPassing } from "./api";
import { t } from "./words";

const SHOWN_MS = 3_000;

export function Connection() {
  const queries = useQueryClient();
  const [lost, setLost] = useState(!navigator.onLine);
  const [back, setBack] = useState(false);
  const was = useRef(false);
  useEffect(() => {
    const cache = queries.getQueryCache();
    const look = () => {
      const failing = cache.getAll().some((query) => query.getObserversCount() > 0 && isPassing(query.state.error ?? query.state.fetchFailureReason));
      setLost(!navigator.onLine || failing);
    };
    const again = () => {
      look();
      void queries.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" || query.state.fetchFailureCount > 0 });
    };
    addEventListener("online", again);
    addEventListener("offline", look);
    const stop = cache.subscribe(look);
    return () => {
      removeEventListener("online", again);
      removeEventListener("offline", look);
      stop();
    };
  }, []);
  useEffect(() => {
    if (lost) {
      was.current = true;
      return undefined;
    }
    if (!was.current) return undefined;
    was.current = false;
    setBack(true);
    const timer = setTimeout(() => setBack(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  const shown = lost ? "lost" : back ? "back" : "";
  return (
    <div class={`connection ${shown}`} role="status">{lost ? t("offline") : back ? t("recovered") : ""}</div>
  );
}
