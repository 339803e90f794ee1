// What a task would cost, said before it is started: tokens, dollars, and the day of the prices. Not an offer.
import { useQuery } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { body } from "./api";
import { RULES } from "./costs";
import { said } from "./pieces";
import { TASKS } from "./queries";
import type { Estimate } from "./shapes";
import type { Wanted } from "./starting";
import { day, dollars, number, t } from "./words";

const SETTLED_MS = 400;

/** The same text, once it has been the same for a moment: a click for each paper is one question. */
function useSettled(text: string): string {
  const [settled, set] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => set(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** `more`: what else is known of such a task. */
export function Estimated({ project, wanted, more = "" }: { project: string; wanted: Wanted; more?: string }) {
  const { budgetUsd, name: _, ...asked } = wanted;
  const count = wanted.documentIds?.length ?? 0;
  const text = useSettled(JSON.stringify(asked));
  const found = useQuery({
    queryKey: ["estimate", project, text],
    queryFn: ({ signal }) => body("post", `${TASKS}/estimate`, { project, body: JSON.parse(text) as Wanted, signal }),
    enabled: count > 0 && text === JSON.stringify(asked),
    placeholderData: (before) => before,
    retry: 1,
  });
  if (!count) return null;
  const isOver = budgetUsd !== undefined && (found.data?.costUsd ?? 0) > budgetUsd;
  return (
    <p class="estimate small" role="status" aria-busy={found.isFetching}>
      {found.data ? words(found.data) : found.isError ? t("estimateFailed", { reason: said(found.error) }) : t("estimating")}
      {more && ` ${more}`}
      {isOver && <span class="doubt"> {t("estimateOver")}</span>}
    </p>
  );
}

function words(told: Estimate): string {
  if (told.engine === RULES) return t("estimateRules");
  const calls = t(told.calls === 1 ? "callN" : "callsN", { n: number(told.calls) });
  const tokens = `${calls}, ${t("tokensN", { n: number(told.inputTokens + told.outputTokens) })}`;
  const price = told.price;
  if (!price || typeof told.costUsd !== "number") return t("estimateUnpriced", { engine: told.engine, tokens });
  const cost = dollars(told.costUsd);
  const known = price.readOn ? t("pricesOf", { day: day(price.readOn) }) : t("pricesOwn");
  return t("estimateModel", { engine: told.engine, model: price.model, tokens, cost, prices: known });
}
