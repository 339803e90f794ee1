// The evidence of one value: what it is and who has checked it, its quotes, and where each stands in the paper.
import { useEffect, useState } from "preact/hooks";
import type { Evidence, FieldValue, Result, TemplateField } from "../shapes";
import { t } from "../words";
import { type Decision, holding, isStale, parts, seen } from "./decided";
import { Cards } from "./entries";
import type { Picked } from "./picking";
import { Source } from "./source";
import { Told } from "./told";
import { type Ground, doubt, doubted, entries, evidence, shown, state } from "./values";
import { Who } from "./who";

type Props = {
  project: string;
  row: Result;
  field: TemplateField;
  /** Of a list, the entry that one is at. */
  at: number;
  point: (at: number) => void;
  /** What a search has found in the paper: it is marked in place of the value's quote. */
  hit: Evidence | null;
  pick: ((picked: Picked) => void) | undefined;
};

export function EvidenceShown({ project, row, field, at, point, hit, pick }: Props) {
  const value = row.extractedData?.fields?.[field.name];
  const listed = parts(row, field);
  const entry = listed[at]?.entry;
  const engine = entry && listed.length > 1 ? evidence({ page: null, match: null, state: "found", value: [entry] }) : evidence(value);
  const own = ownQuote(holding(row, listed[at]?.address ?? field.name) ?? Object.values(listed[at]?.members ?? {}).find((each) => each.quote));
  const quotes = own ? [own, ...engine] : engine;
  const [chosen, choose] = useState(0);
  const [page, setPage] = useState<number | null>(null);
  const quote = hit ?? quotes[Math.min(chosen, Math.max(quotes.length - 1, 0))] ?? null;
  useEffect(() => {
    choose(0);
    setPage(null);
  }, [field.name, at]);
  useEffect(() => setPage(null), [hit, own?.quote]);
  return (
    <>
      {listed.length ? <Cards row={row} field={field} parts={listed} at={at} point={point} /> : <Value row={row} field={field} />}
      {isStale(row, field) && <p class="stale">{t("staleCell")}</p>}
      {!seen(row, field).isChecked && !listed.some((each) => each.isChecked) && <p class="quiet said">{said(value)}</p>}
      {quotes.length > 0 && (
        <ol class="quotes">
          {quotes.map((each, at) => (
            <li key={at}>
              <button type="button" class={`quote${each.match === "not_found" ? " missing" : ""}${each === own ? " own" : ""}`} aria-pressed={each === quote} onClick={() => (choose(at), setPage(null))}>
                {each.of.length > 0 && <b>{each.of.join("; ")}</b>}
                <q>{each.quote}</q>
                <span class="small">{[each === own ? t("quoteThere") : matched(each), each.page ? t("pageN", { n: each.page }) : ""].filter(Boolean).join(" · ")}</span>
                {each.of.length > 0 && each.reason && <span class="small doubt">{doubt(each)}</span>}
              </button>
            </li>
          ))}
        </ol>
      )}
      <Source project={project} row={row} quote={quote} page={page ?? quote?.page ?? 1} setPage={setPage} pick={pick} />
    </>
  );
}

/** The quote that a person chose stands before the engine's. */
function ownQuote(found: Decision | undefined): Ground | null {
  if (!found?.quote) return null;
  return { quote: found.quote, page: found.page ?? null, start: found.start ?? null, end: found.end ?? null, match: null, of: [] };
}

/** What is known of the value, in a sentence; of one that could not be confirmed why. Of a list each quote says that. */
function said(value: FieldValue | undefined): string {
  const how = state(value);
  const about = how === "found" && value?.quotation ? t("quotation") : t(`${how}Why`);
  const less = how === "found" ? doubted(value).length : 0;
  const why = less ? t("lessN", { n: less, all: entries(value).length }) : value && !entries(value).length ? doubt(value) : "";
  return [about, why].filter(Boolean).join(" ");
}

function matched(each: Evidence): string {
  if (each.match === "exact") return t("quoteFound");
  if (each.match === "fuzzy") return t("fuzzy");
  // Of a quote that was not looked for nothing is said.
  return each.match ? t("quoteMissing") : "";
}

/** A decided value, what the engine said beside it, and what our code says of the quote that was chosen for it. */
function Value({ row, field }: { row: Result; field: TemplateField }) {
  const { value, isChecked } = seen(row, field);
  const held = holding(row, field.name);
  // A long one scrolls, and so has to be reached by keyboard.
  return (
    <>
      <div class={`evidence-value ${isChecked ? "checked" : state(value)}`} tabIndex={0} role="region" aria-label={t("value")}>
        {held?.verb === "absent" ? t("not_reported") : <Told value={value} field={field} />}
      </div>
      {held && (
        <p class="decided-by small">
          <Who decision={held} />
          {held.verb !== "agree" && <span class="quiet">{answered(row, field)}</span>}
          {held.verb === "correct" && held.quote && held.state && <span class={held.state === "found" ? "quiet" : "doubt"}>{held.state === "found" ? t("quoteBearsOut") : t("quoteNot", { reason: held.reason ? t(`reason_${held.reason}`) : t("quoteNotWhy") })}</span>}
        </p>
      )}
    </>
  );
}

function answered(row: Result, field: TemplateField): string {
  const text = shown(row.extractedData?.fields?.[field.name], field);
  const value = text === "–" ? t("nothingSaid") : text;
  return row.engine === "rules" ? t("rulesSaid", { value }) : t("engineSaid", { engine: row.engine, value });
}
