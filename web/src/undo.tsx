// What was deleted last, and the way back: shown until it is gone, used or put away.
import { useOutside } from "./outside";
import { Act } from "./pieces";
import { t } from "./words";

type Deleted = { project: string; name: string; restore: () => Promise<unknown> };

const watchers = new Set<() => void>();
let last: Deleted | null = null;

export function deleted(what: Deleted | null): void {
  last = what;
  for (const told of watchers) told();
}

function watch(told: () => void): () => void {
  watchers.add(told);
  return () => watchers.delete(told);
}

export function Undo({ project }: { project: string }) {
  const found = useOutside(() => last, watch);
  if (found?.project !== project) return null;
  const restore = async () => {
    await found.restore();
    deleted(null);
  };
  return (
    <div class="undo" role="status">
      <span>{t("deletedNow", { name: found.name })}</span>
      <Act key={found.name} act={restore}>{t("undo")}</Act>
      <button type="button" class="plain" onClick={() => deleted(null)}>{t("close")}</button>
    </div>
  );
}
