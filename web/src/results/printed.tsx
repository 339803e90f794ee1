// The table on paper: a page is too narrow for its columns, so each paper is a list of its values, each with its quote and page.
// Drawn only while the browser prints.
import { flushSync } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import type { Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { isJudgement, judged } from "./judgements";
import { evidence, fault, shown, source, state } from "./values";

const MOST = 500;
const SAID = new Set(["found", "unsupported", "contradictory", "not_reported"]);

function useIsPrinting(): boolean {
  const [is, set] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => set(true));
    const end = () => set(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return is;
}

type Props = { rows: Result[]; columns: TemplateField[] };

export function Printed({ rows, columns }: Props) {
  if (!useIsPrinting()) return null;
  return (
    <div class="printed">
      {rows.slice(0, MOST).map((row) => <Paper key={row.resultId} row={row} columns={columns} />)}
      {rows.length > MOST && <p>{t("printedN", { n: MOST, all: rows.length })}</p>}
    </div>
  );
}

function Paper({ row, columns }: { row: Result; columns: TemplateField[] }) {
  const told = columns.filter((field) => isJudgement(field.name) || SAID.has(state(row.extractedData?.fields?.[field.name])));
  return (
    <section>
      <h2>{source(row)}</h2>
      {row.status !== "completed" && <p>{fault(row) || t(row.status)}</p>}
      {row.status === "completed" && told.map((field) => <Value key={field.name} row={row} field={field} />)}
    </section>
  );
}

function Value({ row, field }: { row: Result; field: TemplateField }) {
  const value = row.extractedData?.fields?.[field.name];
  const how = state(value);
  return (
    <div>
      <span>{named(field)}</span>
      <span>
        {isJudgement(field.name) ? judged(row, field.name).text : shown(value)}
        {!isJudgement(field.name) && how !== "found" && ` (${t(how)})`}
        {evidence(value).map((each, at) => (
          <span key={at} class="quiet"><br />“{each.quote}”{each.page ? ` · ${t("pageN", { n: each.page })}` : ""}</span>
        ))}
      </span>
    </div>
  );
}
