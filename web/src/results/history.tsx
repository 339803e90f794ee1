// What was decided on a cell: who, when, from what, to what.
import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { body } from "../api";
import { Waiting, said } from "../pieces";
import type { Result, TemplateField } from "../shapes";
import { instant, named, t, type Word } from "../words";
import type { Decision, Verb } from "./decided";
import { plain } from "./values";
import { useWho } from "./who";

export type Past = Decision & { address: string; before?: string | null; was?: { state?: string; value?: unknown } | null };
type Get = (method: "get", path: string, asked: object) => Promise<{ decisions: Past[] }>;

const DECISIONS = "/api/v1/asl/extraction/results/{result_id}/decisions";
export const DONE: Record<Verb, Word> = { agree: "agreed", correct: "corrected", absent: "saidAbsent", comment: "noted", undo: "tookBack" };

export function History({ project, row, field }: { project: string; row: Result; field: TemplateField }) {
  const [isOpen, setOpen] = useState(false);
  const get = body as unknown as Get;
  const found = useQuery({
    queryKey: ["history", project, row.resultId],
    queryFn: () => get("get", DECISIONS, { path: { result_id: row.resultId }, project }),
    enabled: isOpen,
    retry: 1,
  });
  const all = found.data?.decisions.filter(({ address }) => address.split("/", 1)[0] === field.name);
  return (
    <details class="history" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="plain">{t("history")}</summary>
      <div class="history-list" tabIndex={0} role="region" aria-label={t("history")}>
        {found.isLoading && <Waiting rows={2} />}
        {found.isError && <p class="wrong">{said(found.error)}</p>}
        {all?.length === 0 && <p class="quiet">{t("historyNone")}</p>}
        <ol>{all?.map((each) => <Line key={each.id} each={each} all={all} row={row} field={field} />)}</ol>
      </div>
    </details>
  );
}

function Line({ each, all, row, field }: { each: Past; all: Past[]; row: Result; field: TemplateField }) {
  const who = useWho();
  const earlier = all.find(({ id }) => id === each.before);
  const member = each.address.split("/")[2];
  const part = field.fields?.find(({ name }) => name === member);
  const from = earlier ? worth(earlier, part ?? field) : plain(each.was?.value, part ?? field) || "–";
  const more = [each.how === "block" && t("ofBlock"), each.taskId && each.taskId !== row.taskId && t("otherTask")].filter(Boolean).join(", ");
  return (
    <li>
      <b>{t(DONE[each.verb])}</b>{part ? ` · ${named(part)}` : ""}{each.verb === "correct" || each.verb === "absent" ? `: ${t("fromTo", { from, to: worth(each, part ?? field) })}` : ""}
      {each.comment && <> “{each.comment}”</>}
      <span class="quiet"> · {who(each)}, {instant(each.at)}{more ? ` (${more})` : ""}</span>
    </li>
  );
}

/** What a decision makes of a cell, in words. */
export function worth(found: Pick<Decision, "verb" | "value" | "comment">, field: TemplateField): string {
  if (found.verb === "correct") return plain(found.value, field);
  if (found.verb === "absent") return t("saidAbsent");
  return found.verb === "comment" ? (found.comment ?? "") : t(DONE[found.verb]);
}
