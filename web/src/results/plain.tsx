// The table of a kind of work that this page does not know: a row an item, a column a name in the rows' data or summaries.
import { useMemo, useRef } from "preact/hooks";
import type { Result } from "../shapes";
import { t } from "../words";
import { ROW_PX } from "./table";
import { fault, plain } from "./values";
import { useVirtualRows } from "./virtual";

const HEAD_PX = 52;
const EDGES_PX = 18;
const COLUMN_PX = 200;

const told = (row: Result): Record<string, unknown> => ({ ...row.summary, ...row.extractedData });

function cell(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : plain(value) || "–";
}

export function PlainTable({ rows }: { rows: Result[] }) {
  const box = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => [...new Set(rows.flatMap((row) => Object.keys(told(row))))], [rows]);
  const virtual = useVirtualRows(box, rows.length, ROW_PX, HEAD_PX);
  return (
    <div class="table-box plain" ref={box} tabIndex={0} role="region" aria-label={t("step3")} style={{ maxHeight: `${rows.length * ROW_PX + HEAD_PX + EDGES_PX}px` }}>
      <table style={{ "--rest": `${columns.length * COLUMN_PX}px` }} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("item")}</th>
            {columns.map((name) => <th key={name} scope="col">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {virtual.before > 0 && <tr aria-hidden="true" class="space" style={{ height: `${virtual.before}px` }} />}
          {virtual.items.map(({ index }) => {
            const row = rows[index];
            return row && <Row key={row.resultId} row={row} index={index} columns={columns} />;
          })}
          {virtual.after > 0 && <tr aria-hidden="true" class="space" style={{ height: `${virtual.after}px` }} />}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, index, columns }: { row: Result; index: number; columns: string[] }) {
  const values = told(row);
  return (
    <tr aria-rowindex={index + 2} class={row.status}>
      <th scope="row">{row.snapshotFilename || row.documentId}</th>
      {row.status === "completed" ? (
        columns.map((name) => <td key={name} title={cell(values[name])}>{cell(values[name])}</td>)
      ) : (
        <td class="told" colSpan={Math.max(columns.length, 1)}>{fault(row) || t(row.status)}</td>
      )}
    </tr>
  );
}
