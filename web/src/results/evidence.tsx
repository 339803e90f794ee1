// The evidence of one value: its quotes, each shown where it stands in the page's text, and the page of the PDF beside.
import { useQuery } from "@tanstack/preact-query";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import { body } from "../api";
import { said, Waiting } from "../pieces";
import type { Evidence, FieldValue, Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { evidence, plain, shown, trust } from "./values";

const RESULT = "/api/v1/asl/extraction/results/{result_id}";
const Pdf = lazy(() => import("./pdf"));

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
      {value?.status === "reported" && quotes.length === 0 && <p class="quiet">{t("noQuote")}</p>}
      {value?.status === "not_reported" && <p class="quiet">{t("noEvidence")}</p>}
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
  return <p class={`evidence-value ${how}`}>{shown(value)}</p>;
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

type SourceProps = { project: string; row: Result; quote: Evidence | null; page: number; setPage: (page: number) => void };

function Source({ project, row, quote, page, setPage }: SourceProps) {
  const file = useQuery({
    queryKey: ["file", project, row.resultId],
    queryFn: () => body("get", `${RESULT}/file`, { path: { result_id: row.resultId }, project }),
    staleTime: 600_000,
    retry: 1,
  });
  const text = useQuery({
    queryKey: ["text", project, row.resultId, page],
    queryFn: () => body("get", `${RESULT}/text`, { path: { result_id: row.resultId }, query: { page }, project }),
    staleTime: Infinity,
    placeholderData: (before) => before,
    retry: 1,
  });
  const isPdf = file.data?.contentType === "application/pdf";
  const [side, setSide] = useState<"text" | "pdf">("text");
  const pages = text.data?.pageCount ?? 0;
  const found = text.data?.pages.find((each) => each.number === page);
  return (
    <div class={`source ${isPdf ? side : "alone"}`}>
      <div class="source-bar">
        <div class="pager">
          <button type="button" class="icon" disabled={page <= 1} aria-label={t("previous")} title={t("previous")} onClick={() => setPage(page - 1)}>‹</button>
          <span>{found?.label || t("pageOf", { n: page, all: pages || "…" })}</span>
          <button type="button" class="icon" disabled={!pages || page >= pages} aria-label={t("next")} title={t("next")} onClick={() => setPage(page + 1)}>›</button>
        </div>
        {isPdf && (
          <div class="filters narrow-only" role="group">
            <button type="button" aria-pressed={side === "text"} onClick={() => setSide("text")}>{t("text")}</button>
            <button type="button" aria-pressed={side === "pdf"} onClick={() => setSide("pdf")}>{t("pdf")}</button>
          </div>
        )}
        {file.data && <a href={file.data.url} target="_blank" rel="noreferrer">{t("openFile")}</a>}
      </div>
      <div class="source-pages">
        <div class="source-text" tabIndex={0} role="region" aria-label={t("text")}>
          {!found && text.isFetching && <Waiting rows={10} />}
          {text.isError && <p class="quiet">{t("noText", { reason: said(text.error) })}</p>}
          {found && <Text text={found.text} mark={quote && quote.page === page ? quote : null} />}
        </div>
        {isPdf && file.data && (
          <div class="source-pdf" tabIndex={0} role="region" aria-label={t("pdf")}>
            <Suspense fallback={<Waiting rows={10} />}>
              <Pdf url={file.data.url} page={page} quote={quote?.page === page ? (quote.quote ?? "") : ""} />
            </Suspense>
          </div>
        )}
      </div>
      {file.data && !isPdf && <p class="quiet small">{t("noPdf")}</p>}
    </div>
  );
}

function Text({ text, mark }: { text: string; mark: Evidence | null }) {
  const here = useRef<HTMLElement>(null);
  const start = mark?.start ?? null;
  const end = mark?.end ?? null;
  useEffect(() => here.current?.scrollIntoView({ block: "center" }), [text, start]);
  if (start === null || end === null) return <p class="page-text">{text}</p>;
  // Offsets count characters; JavaScript's own count halves of them beyond U+FFFF.
  const letters = [...text];
  return (
    <p class="page-text">
      {letters.slice(0, start).join("")}
      <mark ref={here}>{letters.slice(start, end).join("")}</mark>
      {letters.slice(end).join("")}
    </p>
  );
}
