// Who decided, and when: a check mark that belongs to people only.
import { useQueryClient } from "@tanstack/preact-query";
import type { Me } from "../shapes";
import { instant, t } from "../words";
import type { Decision } from "./decided";

/** The name of whoever decided; oneself is "you". */
export function useWho(): (found: Pick<Decision, "by" | "name">) => string {
  const queries = useQueryClient();
  const own = queries.getQueriesData<Me>({ queryKey: ["me"] })[0]?.[1]?.userId;
  return ({ by, name }) => (!by || by === own ? t("you") : name || t("somebody"));
}

export function checkedBy(found: Decision, who: string): string {
  // It is saved when the answer has come, and not before.
  if (found.sending) return t(found.sending === "retry" ? "notSaved" : "saving");
  return t(found.how === "block" ? "checkedBlockCell" : "checkedCell", { who, when: instant(found.at) });
}

export function Who({ decision }: { decision: Decision }) {
  const who = useWho();
  return <span class={decision.sending ? "quiet" : "tick"}>{decision.sending ? "" : "✓ "}{checkedBy(decision, who(decision))}</span>;
}
