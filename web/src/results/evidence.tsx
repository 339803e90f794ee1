// The evidence of one value: what it is, its quotes, and where each stands in the paper.
import { useEffect, useState } from "preact/hooks";
import type { Evidence, FieldValue, Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { Source } from "./source";
import { evidence, plain, shown, trust } from "./values";

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
      {quotes.length > 0 && (
        <ol class="quotes">
          {quotes.map((each, at) => (
            <li key={at}>
              <button type="button" class={each.match === "not_found" ? "quote missing" : "quote"} aria-pressed={each === quote} onClick={() => (choose(at), setPage(null))}>
                <q>{each.quote}</q>
                <span class="small">{matched(each)}{each.page ? ` · ${t("pageN", { n: each.page })}` : ""}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {value?.state === "reported" && quotes.length === 0 && <p class="quiet">{t("noQuote")}</p>}
      {value?.state === "not_reported" && <p class="quiet">{t("noEvidence")}</p>}
      <Source project={project} row={row} quote={quote} page={page ?? quote?.page ?? 1} setPage={setPage} />
    </>
  );
}

function matched(each: Evidence): string {
  if (each.match === "exact") return t("verifiedShort");
  if (each.match === "fuzzy") return t("fuzzy");
  return t("quoteMissing");
}

function Value({ value, field }: { value: FieldValue | undefined; field: TemplateField }) {
  const how = trust(value);
  if (field.type === "[object]" && Array.isArray(value?.value) && value.value.length) {
    return <Entries entries={value.value as Record<string, unknown>[]} field={field} />;
  }
  // A long one scrolls, and so has to be reached by keyboard.
  return <div class={`evidence-value ${how}`} tabIndex={0} role="region" aria-label={t("value")}>{shown(value)}</div>;
}

function Entries({ entries, field }: { entries: Record<string, unknown>[]; field: TemplateField }) {
  const parts = field.fields ?? [];
  return (
    <div class="entries" tabIndex={0} role="region" aria-label={named(field)}>
      <table>
        <thead><tr>{parts.map((part) => <th key={part.name} scope="col">{named(part)}</th>)}</tr></thead>
        <tbody>
          {entries.map((entry, at) => (
            <tr key={at}>{parts.map((part) => <td key={part.name}>{plain(entry[part.name]) || "–"}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
