// The evidence of one value: what it is, its quotes, and where each stands in the paper.
import { useEffect, useState } from "preact/hooks";
import type { Entry, Evidence, FieldValue, Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { Source } from "./source";
import { Told } from "./told";
import { doubt, doubted, entries, evidence, plain, state } from "./values";

type Props = { project: string; row: Result; field: TemplateField };

export function EvidenceShown({ project, row, field }: Props) {
  const value = row.extractedData?.fields?.[field.name];
  const quotes = evidence(value);
  const [chosen, choose] = useState(0);
  const [page, setPage] = useState<number | null>(null);
  const quote = quotes[Math.min(chosen, Math.max(quotes.length - 1, 0))] ?? null;
  useEffect(() => {
    choose(0);
    setPage(null);
  }, [field.name]);
  return (
    <>
      <Value value={value} field={field} />
      <p class="quiet">{said(value)}</p>
      {quotes.length > 0 && (
        <ol class="quotes">
          {quotes.map((each, at) => (
            <li key={at}>
              <button type="button" class={each.match === "not_found" ? "quote missing" : "quote"} aria-pressed={each === quote} onClick={() => (choose(at), setPage(null))}>
                {each.of.length > 0 && <b>{each.of.join("; ")}</b>}
                <q>{each.quote}</q>
                <span class="small">{[matched(each), each.page ? t("pageN", { n: each.page }) : ""].filter(Boolean).join(" · ")}</span>
                {each.of.length > 0 && each.reason && <span class="small doubt">{doubt(each)}</span>}
              </button>
            </li>
          ))}
        </ol>
      )}
      <Source project={project} row={row} quote={quote} page={page ?? quote?.page ?? 1} setPage={setPage} />
    </>
  );
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

function Value({ value, field }: { value: FieldValue | undefined; field: TemplateField }) {
  const how = state(value);
  const listed = entries(value);
  if (field.type === "[object]" && how !== "contradictory" && listed.length) return <Entries entries={listed} field={field} />;
  // A long one scrolls, and so has to be reached by keyboard.
  return <div class={`evidence-value ${how}`} tabIndex={0} role="region" aria-label={t("value")}><Told value={value} /></div>;
}

/** Each with a state of its own: one that could not be confirmed says so and why. */
function Entries({ entries, field }: { entries: Entry[]; field: TemplateField }) {
  const parts = field.fields ?? [];
  return (
    <div class="entries" tabIndex={0} role="region" aria-label={named(field)}>
      <table>
        <thead><tr>{parts.map((part) => <th key={part.name} scope="col">{named(part)}</th>)}</tr></thead>
        <tbody>
          {entries.map((entry, at) => (
            <tr key={at} class={entry.state} title={entry.reason && `${t(entry.state)}: ${doubt(entry)}`}>
              {parts.map((part, column) => (
                <td key={part.name}>
                  <span class={`entry ${entry.state}`}>{plain((entry.value as Record<string, unknown> | null)?.[part.name]) || "–"}</span>
                  {column === 0 && entry.state !== "found" && <span class="unseen"> ({t(entry.state)})</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
