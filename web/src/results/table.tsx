// The table: a row a paper, a column a field, by section. Only the rows and columns in view are in the page. By keyboard: arrows,
// Home, End, Page Up, Page Down move; Enter opens the evidence. With Shift they choose a block, which is copied as a table.
import { memo } from "preact/compat";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Result, STATES as KNOWN, type TemplateField } from "../shapes";
import { sections } from "../templates";
import { many, named, t, type Word } from "../words";
import { type Block, block, copied, size } from "./block";
import { isJudgement, judged } from "./judgements";
import { reasons } from "./reasons";
import { Told } from "./told";
import { cells, fault, readOrder, shown, source, state, study, width } from "./values";
import { type Span, useVirtualColumns, useVirtualRows } from "./virtual";

export const ROW_PX = 52;
/** The head has two. */
export const FIRST_ROW = 3;
const HEAD_PX = 84;
/** A scrollbar and two lines. */
const EDGES_PX = 18;
const PAGE = 10;

export type At = { row: string; field: string };
type Props = {
  rows: Result[];
  fields: TemplateField[];
  order: string | undefined;
  sort: (order: string) => void;
  open: (row: Result, field: string) => void;
  at: At | null;
};

export function Table({ rows, fields, order, sort, open, at }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const parts = useMemo(() => sections(fields), [fields]);
  const columns = useMemo(() => parts.flatMap((part) => part.fields), [parts]);
  const firsts = useMemo(() => new Set(parts.map((part) => part.fields[0]?.name)), [parts]);
  const widths = useMemo(() => columns.map(width), [columns]);
  const { span, bring } = useVirtualColumns(box, widths);
  const virtual = useVirtualRows(box, rows.length, ROW_PX, HEAD_PX);
  const [cell, setCell] = useState({ row: 0, column: 0 });
  const [from, setFrom] = useState<{ row: number; column: number } | null>(null);
  const chosen = from && block(from, cell);
  useEffect(() => setFrom(null), [order, rows.length]);
  const wants = useRef("");
  const opened = at ? rows.findIndex((row) => row.resultId === at.row) : -1;
  useEffect(() => {
    if (opened >= 0) {
      setCell({ row: opened, column: columns.findIndex((field) => field.name === at?.field) + 1 });
      virtual.reveal(opened);
      bring(columns.findIndex((field) => field.name === at?.field));
    }
  }, [opened, at?.field]);
  useLayoutEffect(() => {
    // The cell may come into the page only with the rows that the scrolling brings.
    const found = wants.current && box.current?.querySelector<HTMLElement>(`[data-cell="${wants.current}"]`);
    if (!found) return;
    wants.current = "";
    found.focus({ preventScroll: true });
  });
  const reach = reachable(cell, virtual.items.map((item) => item.index), span);
  const move = (event: KeyboardEvent) => {
    const next = target(event.key, cell, rows.length, columns.length);
    if (!next) return;
    event.preventDefault();
    wants.current = `${next.row}:${next.column}`;
    setFrom(event.shiftKey ? (from ?? cell) : null);
    setCell(next);
    virtual.reveal(next.row);
    bring(next.column - 1);
  };
  const focused = (event: FocusEvent) => {
    const name = (event.target as HTMLElement).dataset["cell"];
    if (!name) return;
    const [row = 0, column = 0] = name.split(":").map(Number);
    if (row === cell.row && column === cell.column) return;
    setFrom(null);
    setCell({ row, column });
  };
  const choose = (event: MouseEvent) => {
    const name = (event.target as HTMLElement).closest<HTMLElement>("[data-cell]")?.dataset["cell"];
    if (!event.shiftKey || !name) return;
    event.preventDefault();
    event.stopPropagation();
    const [row = 0, column = 0] = name.split(":").map(Number);
    // What is copied by keyboard is copied of where the focus is.
    wants.current = name;
    setFrom(from ?? cell);
    setCell({ row, column });
  };
  const copy = (event: ClipboardEvent) => {
    if (!chosen || !event.clipboardData) return;
    event.preventDefault();
    const told = copied(rows, columns, chosen);
    event.clipboardData.setData("text/plain", told.text);
    event.clipboardData.setData("text/html", told.html);
  };
  return (
    <>
    {chosen && <Chosen key={Object.values(chosen).join()} chosen={chosen} copy={() => copied(rows, columns, chosen)} />}
    <div class="table-box" ref={box} style={{ maxHeight: `${rows.length * ROW_PX + HEAD_PX + EDGES_PX}px` }} onKeyDown={move} onFocusIn={focused} onMouseDown={(event) => event.shiftKey && event.preventDefault()} onClickCapture={choose} onCopy={copy}>
      <table role="grid" aria-multiselectable="true" style={{ "--rest": `${widths.reduce((sum, each) => sum + each, 0)}px` }} aria-rowcount={rows.length + 2} aria-colcount={columns.length + 1}>
        <colgroup>
          <col class="study-col" />
          {columns.map((field) => <col key={field.name} style={{ width: `${width(field)}px` }} />)}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th class="corner" rowSpan={2} scope="col" aria-sort={sorted("study", order)}><Sort name="study" label={t("study")} order={order} sort={sort} /></th>
            {parts.map((part) => <th key={part.name} class="section" colSpan={part.fields.length} scope="colgroup"><span>{part.label}</span></th>)}
          </tr>
          <tr aria-rowindex={2}>
            {columns.map((field) => (
              <th key={field.name} scope="col" class={firsts.has(field.name) ? "begins" : undefined} aria-sort={sorted(field.name, order)}>
                <Sort name={field.name} label={named(field)} order={order} sort={sort} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {virtual.before > 0 && <tr aria-hidden="true" class="space" style={{ height: `${virtual.before}px` }} />}
          {virtual.items.map((item) => {
            const row = rows[item.index];
            return row && <Row key={row.resultId} row={row} index={item.index} columns={columns} span={span} firsts={firsts} open={open} tab={reach.row === item.index ? reach.column : -1} current={opened === item.index ? (at?.field ?? "") : ""} left={chosen && item.index >= chosen.top && item.index <= chosen.bottom ? chosen.left : -1} right={chosen ? chosen.right : -1} />;
          })}
          {virtual.after > 0 && <tr aria-hidden="true" class="space" style={{ height: `${virtual.after}px` }} />}
        </tbody>
      </table>
    </div>
    </>
  );
}

function Chosen({ chosen, copy }: { chosen: Block; copy: () => { text: string; html: string } }) {
  const [isCopied, setCopied] = useState(false);
  const act = async () => {
    const { text, html } = copy();
    const parts = { "text/plain": new Blob([text], { type: "text/plain" }), "text/html": new Blob([html], { type: "text/html" }) };
    await navigator.clipboard.write([new ClipboardItem(parts)]);
    setCopied(true);
  };
  return (
    <p class="chosen-bar small" role="status">
      {t("chosenCells", { n: size(chosen) })} <button type="button" class="plain" onClick={() => void act().catch(() => setCopied(false))}>{t(isCopied ? "copiedCells" : "copyCells")}</button>
    </p>
  );
}

/** Where Tab enters the table: the cell of before, or what is in view of its row or column. */
function reachable(cell: { row: number; column: number }, rows: number[], span: Span) {
  const isShown = cell.column > span.from && cell.column <= span.to;
  return { row: rows.includes(cell.row) ? cell.row : (rows[0] ?? 0), column: isShown ? cell.column : 0 };
}

function target(key: string, cell: { row: number; column: number }, rows: number, columns: number) {
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    PageUp: [-PAGE, 0], PageDown: [PAGE, 0], Home: [0, -columns], End: [0, columns],
  };
  const step = steps[key];
  if (!step) return null;
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return { row: within(cell.row + step[0], rows - 1), column: within(cell.column + step[1], columns) };
}

function sorted(name: string, order: string | undefined): "ascending" | "descending" | undefined {
  const now = readOrder(order);
  return now?.name === name ? (now.down ? "descending" : "ascending") : undefined;
}

type SortProps = { name: string; label: string; order: string | undefined; sort: (order: string) => void };

function Sort({ name, label, order, sort }: SortProps) {
  const now = sorted(name, order);
  const next = now === "ascending" ? `-${name}` : now === "descending" ? "" : name;
  return (
    <button type="button" class="sort" title={label} onClick={() => sort(next)}>
      <span>{label}</span>
      <i aria-hidden="true">{now === "ascending" ? "↑" : now === "descending" ? "↓" : ""}</i>
    </button>
  );
}

type RowProps = {
  row: Result;
  index: number;
  columns: TemplateField[];
  span: Span;
  firsts: Set<string | undefined>;
  open: (row: Result, field: string) => void;
  tab: number;
  current: string;
  /** The columns of a chosen block; -1 where the row is in none. */
  left: number;
  right: number;
};

const Row = memo(function Row({ row, index, columns, span, firsts, open, tab, current, left, right }: RowProps) {
  const isDone = row.status === "completed";
  const why = reasons(row, columns);
  const isFailed = row.status === "error";
  // The head of a row opens what does not add up on it; of one that failed, why.
  const press = why.length || isFailed ? () => open(row, why.find((each) => each.field)?.field ?? columns[0]?.name ?? "") : undefined;
  const key = (event: KeyboardEvent) => press && pressed(event, press);
  return (
    <tr aria-rowindex={index + FIRST_ROW} class={row.status}>
      <th scope="row" class={`${press ? "opens" : ""}${left === 0 ? " chosen" : ""}`} tabIndex={tab === 0 ? 0 : -1} data-cell={`${index}:0`} onClick={press} onKeyDown={key}>
        <span class="head">
          <span class="study" title={source(row)}>{study(row)}</span>
          {why[0] && <span class="why" title={why.map((each) => each.text).join("\n")}>{why[0].text}{why.length > 1 ? ` +${why.length - 1}` : ""}</span>}
        </span>
        <State row={row} />
      </th>
      {isDone ? (
        <>
          {span.from > 0 && <td aria-hidden="true" class="gap" colSpan={span.from} />}
          {columns.slice(span.from, span.to).map((field, at) => {
            const column = span.from + at + 1;
            return <Cell key={field.name} row={row} field={field} column={column} name={`${index}:${column}`} begins={firsts.has(field.name)} tab={tab === column} isOpen={current === field.name} isChosen={left >= 0 && column >= left && column <= right} open={open} />;
          })}
          {span.to < columns.length && <td aria-hidden="true" class="gap" colSpan={columns.length - span.to} />}
        </>
      ) : (
        <td class={`told${current ? " open" : ""}`} colSpan={columns.length} tabIndex={tab > 0 ? 0 : -1} data-cell={`${index}:${Math.max(tab, 1)}`} onClick={press} onKeyDown={key}>
          {isFailed && <span>{t("failedRow", { reason: fault(row) })} <span class="quiet">{many(row.attempts, "attemptOne", "attemptsN")}</span></span>}
          {row.status === "cancelled" && <span class="quiet">{t("cancelledRow")}</span>}
        </td>
      )}
    </tr>
  );
});

const STATES: Record<Result["status"], Word> = {
  pending: "pending", extracting: "extracting", completed: "completed", error: "error", cancelled: "cancelled",
};

function State({ row }: { row: Result }) {
  if (row.status !== "completed") return <span class={`state ${row.status}`}>{t(STATES[row.status])}</span>;
  const counts = KNOWN.filter((each) => cells(row, each)).map((each) => ({ each, text: `${cells(row, each)} ${t(each === "unsupported" ? "unsupportedN" : each).toLowerCase()}` }));
  return (
    <span class="state counted" title={counts.map(({ text }) => text).join(", ")}>
      {counts.map(({ each, text }) => <span key={each} class={each}>{text}</span>)}
    </span>
  );
}

function pressed(event: KeyboardEvent, press: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  press();
}

type CellProps = { row: Result; field: TemplateField; column: number; name: string; begins: boolean; tab: boolean; isOpen: boolean; isChosen: boolean; open: (row: Result, field: string) => void };

function Cell({ row, field, column, name, begins, tab, isOpen, isChosen, open }: CellProps) {
  const judgement = isJudgement(field.name) ? judged(row, field.name) : null;
  const value = row.extractedData?.fields?.[field.name];
  const how = state(value);
  const text = judgement ? judgement.text : shown(value);
  const press = () => open(row, field.name);
  return (
    <td
      class={`${judgement ? "judged" : how}${begins ? " begins" : ""}${isOpen ? " open" : ""}${isChosen ? " chosen" : ""}`}
      aria-selected={isChosen}
      aria-colindex={column + 1}
      tabIndex={tab ? 0 : -1}
      data-cell={name}
      data-field={field.name}
      title={text.length > 24 ? text : undefined}
      onClick={press}
      onKeyDown={(event) => pressed(event, press)}
    >
      {judgement ? <b class={`judgement ${judgement.tone}`}>{text}</b> : <span class="value"><Told value={value} /></span>}
      {!judgement && <span class="unseen">{t(how)}</span>}
    </td>
  );
}
