// A paper that failed, opened: the whole of why, what a retry does, and the paper itself.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Result } from "../shapes";
import { many, t } from "../words";
import { Source } from "./source";
import { fault } from "./values";

export function FailureShown({ project, row, retry }: { project: string; row: Result; retry: ComponentChildren }) {
  const [page, setPage] = useState(1);
  return (
    <>
      <div class="evidence-value failed" tabIndex={0} role="region" aria-label={t("error")}>{fault(row)}</div>
      <p class="quiet small">{many(row.attempts, "attemptOne", "attemptsN")} {t("errorHelp")}</p>
      {retry}
      <Source project={project} row={row} quote={null} page={page} setPage={setPage} />
    </>
  );
}
