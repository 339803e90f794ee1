// What a task has cost, in words; nothing where the rules read, which cost nothing by the token.
import type { Task } from "./shapes";
import { dollars, number, t } from "./words";

export const RULES = "rules";

/** Tokens, cost and budget of a task that a model reads. */
export function spent(task: Task): string {
  if (!task.engine || task.engine === RULES || typeof task.tokens !== "number") return "";
  const cost = typeof task.costUsd === "number" ? dollars(task.costUsd) : t("noPrice");
  const known = typeof task.budgetUsd === "number" ? t("costOf", { cost, budget: dollars(task.budgetUsd) }) : cost;
  return `${t("tokensN", { n: number(task.tokens) })} · ${known}`;
}
