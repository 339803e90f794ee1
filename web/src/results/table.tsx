// The table: a row a paper, a column a field, by section. Only the rows and columns in view are in the page. By keyboard: arrows,
// Home, End, Page Up, Page Down move; Enter opens the evidence. With Shift they choose a block, which is copied as a table.
import { memo } from "preact/compat";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Result, STATES as KNOWN, type TemplateField } from "../shapes";
import { sectionLabel } from "../templates";
import { type Language, many, named, t, useLanguage, type Word } from "../words";
import { block, copied } from "./block";
import { Chosen, Done, foundIn } from "./chosen";
import type { Arranged } from "./columns";
import { type Checked, lastOn, seen, tally } from "./decided";
import { isJudgement, judged } from "./judgements";
import { reasons } from "./reasons";
import { Told } from "./told";
import { cells, fault, readOrder, shown, source, state, study } from "./values";
import { checkedBy, useWho } from "./who";
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
  arranged: Arranged;
  /** The template's. */
  fields: TemplateField[];
  checked: Checked;
  /** Agree with what of a block was found and nobody has decided on; absent for who may only look. */
  agree: ((places: { row: Result; field: TemplateField }[]) => void) | undefined;
  resize: (name: string, width: number) => void;
  order: string | undefined;
  sort: (order: string) => void;
  open: (row: Result, field: string) => void;
  at: At | null;
};

export function Table({ rows, arranged, fields, checked, agree, resize, order, sort, open, at }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  const { columns, widths, pins } = arranged;
  const parts = useMemo(() => runs(columns, pins), [columns, pins, language]);
  const firsts = useMemo(() => new Set(parts.map((part) => part.fields[0]?.name)), [parts]);
  const rest = useMemo(() => widths.slice(pins), [widths, pins]);
  const lefts = useMemo(() => widths.slice(0, pins).map((_, at) => sum(widths.slice(0, at))), [widths, pins]);
  const { span: moving, bring: bringRest } = useVirtualColumns(box, rest, sum(widths.slice(0, pins)));
  const span = useMemo(() => ({ from: moving.from + pins, to: moving.to + pins }), [moving, pins]);
  const bring = (column: number) => column >= pins && bringRest(column - pins);
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
  const reach = reachable(cell, virtual.items.map((item) => item.index), span, pins);
  const move = (event: KeyboardEvent) => {
    const next = target(event, cell, rows.length, columns.length);
    if (!next) return;
    event.preventDefault();
    wants.current = `${next.row}:${next.column}`;
    setFrom(event.shiftKey && next.row >= 0 && cell.row >= 0 ? (from ?? cell) : null);
    setCell(next);
    if (next.row >= 0) virtual.reveal(next.row);
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
    if (row === HEAD) return;
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
    {chosen && <Chosen key={Object.values(chosen).join()} chosen={chosen} copy={() => copied(rows, columns, chosen)} found={agree ? foundIn(rows, columns, fields, chosen) : []} agree={agree} />}
    <div class="table-box" ref={box} style={{ maxHeight: `${rows.length * ROW_PX + HEAD_PX + EDGES_PX}px` }} onKeyDown={move} onFocusIn={focused} onMouseDown={(event) => event.shiftKey && event.preventDefault()} onClickCapture={choose} onCopy={copy}>
      <table role="grid" aria-multiselectable="true" style={{ "--rest": `${sum(widths)}px` }} aria-rowcount={rows.length + 2} aria-colcount={columns.length + 1}>
        <colgroup>
          <col class="study-col" />
          {columns.map((field, at) => <col key={field.name} style={{ width: `${widths[at]}px` }} />)}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th class="corner" rowSpan={2} scope="col" aria-sort={sorted("study", order)}><Sort name="study" column={0} tab={reach} label={t("study")} order={order} sort={sort} /></th>
            {parts.map((part, at) => <th key={`${part.name} ${at}`} class={`section${part.left === null ? "" : " pinned"}`} style={left(part.left === null ? null : lefts[part.left])} colSpan={part.fields.length} scope="colgroup"><span>{part.label}</span></th>)}
          </tr>
          <tr aria-rowindex={2}>
            {columns.map((field, at) => (
              <th key={field.name} scope="col" class={`${firsts.has(field.name) ? "begins" : ""}${at < pins ? " pinned" : ""}`} style={left(lefts[at])} aria-sort={sorted(field.name, order)}>
                <Sort name={field.name} column={at + 1} tab={reach} label={named(field)} order={order} sort={sort} />
                <Done {...checked.byField.get(field.name)} />
                <Edge width={widths[at] ?? 0} resize={(to) => resize(field.name, to)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {virtual.before > 0 && <tr aria-hidden="true" class="space" style={{ height: `${virtual.before}px` }} />}
          {virtual.items.map((item) => {
            const row = rows[item.index];
            return row && <Row key={row.resultId} language={language} row={row} fields={fields} index={item.index} columns={columns} lefts={lefts} span={span} firsts={firsts} open={open} tab={reach.row === item.index ? reach.column : -1} current={opened === item.index ? (at?.field ?? "") : ""} left={chosen && item.index >= chosen.top && item.index <= chosen.bottom ? chosen.left : -1} right={chosen ? chosen.right : -1} />;
          })}
          {virtual.after > 0 && <tr aria-hidden="true" class="space" style={{ height: `${virtual.after}px` }} />}
        </tbody>
      </table>
    </div>
    </>
  );
}

type Run = { name: string; label: string; left: number | null; fields: TemplateField[] };

/** Columns beside one another that are of one section: what a head stands over. Those that stay in view have heads of their own. */
function runs(columns: TemplateField[], pins: number): Run[] {
  const found: Run[] = [];
  columns.forEach((field, at) => {
    const last = found.at(-1);
    if (last && last.name === field.section && at > pins) last.fields.push(field);
    else found.push({ name: field.section, label: sectionLabel(field), left: at < pins ? at : null, fields: [field] });
  });
  return found;
}

const sum = (widths: number[]): number => widths.reduce((all, each) => all + each, 0);
const left = (at: number | null | undefined) => (at === null || at === undefined ? undefined : { left: `calc(var(--first) + ${at}px)` });

/** The right edge of a column's head: drawn with the pointer it makes the column wider. The columns' menu does it by keyboard. */
function Edge({ width: before, resize }: { width: number; resize: (width: number) => void }) {
  const grab = (event: PointerEvent) => {
    event.preventDefault();
    const edge = event.currentTarget as HTMLElement;
    edge.setPointerCapture(event.pointerId);
    const draw = (now: PointerEvent) => resize(before + now.clientX - event.clientX);
    edge.addEventListener("pointermove", draw);
    edge.addEventListener("pointerup", () => edge.removeEventListener("pointermove", draw), { once: true });
  };
  return <i class="edge" aria-hidden="true" onPointerDown={grab} />;
}

/** The row of the heads, whose buttons sort. */
const HEAD = -1;

/** Where Tab enters the table, once: the cell of before, or what is in view of its row or column. */
function reachable(cell: { row: number; column: number }, rows: number[], span: Span, pins: number) {
  const isShown = cell.column <= pins || (cell.column > span.from && cell.column <= span.to);
  return { row: cell.row === HEAD || rows.includes(cell.row) ? cell.row : (rows[0] ?? 0), column: isShown ? cell.column : 0 };
}

function target({ key, ctrlKey, metaKey }: KeyboardEvent, cell: { row: number; column: number }, rows: number, columns: number) {
  if ((ctrlKey || metaKey) && key === "Home") return { row: 0, column: 0 };
  if ((ctrlKey || metaKey) && key === "End") return { row: rows - 1, column: columns };
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    PageUp: [-PAGE, 0], PageDown: [PAGE, 0], Home: [0, -columns], End: [0, columns],
  };
  const step = steps[key];
  if (!step) return null;
  const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
  const top = cell.row <= 0 && key !== "PageDown" ? HEAD : 0;
  return { row: within(cell.row + step[0], top, rows - 1), column: within(cell.column + step[1], 0, columns) };
}

function sorted(name: string, order: string | undefined): "ascending" | "descending" | undefined {
  const now = readOrder(order);
  return now?.name === name ? (now.down ? "descending" : "ascending") : undefined;
}

type SortProps = { name: string; column: number; tab: { row: number; column: number }; label: string; order: string | undefined; sort: (order: string) => void };

function Sort({ name, column, tab, label, order, sort }: SortProps) {
  const now = sorted(name, order);
  const next = now === "ascending" ? `-${name}` : now === "descending" ? "" : name;
  return (
    <button type="button" class="sort" title={label} tabIndex={tab.row === HEAD && tab.column === column ? 0 : -1} data-cell={`${HEAD}:${column}`} onClick={() => sort(next)}>
      <span>{label}</span>
      <i aria-hidden="true">{now === "ascending" ? "↑" : now === "descending" ? "↓" : ""}</i>
    </button>
  );
}

type RowProps = {
  /** Another one draws it anew. */
  language: Language;
  row: Result;
  index: number;
  fields: TemplateField[];
  columns: TemplateField[];
  /** Where those begin that stay in view; they are the first. */
  lefts: number[];
  span: Span;
  firsts: Set<string | undefined>;
  open: (row: Result, field: string) => void;
  tab: number;
  current: string;
  /** The columns of a chosen block; -1 where the row is in none. */
  left: number;
  right: number;
};

const Row = memo(function Row({ row, index, fields, columns, lefts, span, firsts, open, tab, current, left: chosenFrom, right }: RowProps) {
  const isDone = row.status === "completed";
  const own = tally(row, fields);
  const why = reasons(row, columns);
  const isFailed = row.status === "error";
  // The head of a row opens what does not add up on it; of one that failed, why.
  const press = why.length || isFailed ? () => open(row, why.find((each) => each.field)?.field ?? columns[0]?.name ?? "") : undefined;
  const key = (event: KeyboardEvent) => press && pressed(event, press);
  const cell = (at: number) => {
    const [field, column] = [columns[at]!, at + 1];
    return <Cell key={field.name} row={row} field={field} column={column} left={lefts[at]} name={`${index}:${column}`} begins={firsts.has(field.name)} tab={tab === column} isOpen={current === field.name} isChosen={chosenFrom >= 0 && column >= chosenFrom && column <= right} open={open} />;
  };
  return (
    <tr aria-rowindex={index + FIRST_ROW} class={row.status}>
      <th scope="row" class={`${press ? "opens" : ""}${chosenFrom === 0 ? " chosen" : ""}`} tabIndex={tab === 0 ? 0 : -1} data-cell={`${index}:0`} onClick={press} onKeyDown={key}>
        <span class="head">
          <span class="study" title={source(row)}>{study(row)}</span>
          {why[0] && <span class="why" title={why.map((each) => each.text).join("\n")}>{why[0].text}{why.length > 1 ? ` +${why.length - 1}` : ""}</span>}
        </span>
        <State row={row} checked={own.checked} of={own.cells} />
        {isDone && <Done checked={own.checked} cells={own.cells} />}
      </th>
      {isDone ? (
        <>
          {lefts.map((_, at) => cell(at))}
          {span.from > lefts.length && <td aria-hidden="true" class="gap" colSpan={span.from - lefts.length} />}
          {columns.slice(span.from, span.to).map((_, at) => cell(span.from + at))}
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

function State({ row, checked, of }: { row: Result; checked: number; of: number }) {
  if (row.status !== "completed") return <span class={`state ${row.status}`}>{t(STATES[row.status])}</span>;
  const counts = KNOWN.filter((each) => cells(row, each)).map((each) => ({ each, text: `${cells(row, each)} ${t(each === "unsupported" ? "unsupportedN" : each).toLowerCase()}` }));
  return (
    <span class="state counted" title={counts.map(({ text }) => text).join(", ")}>
      {checked > 0 && <span class="tick">✓ {checked}/{of}</span>}
      {counts.map(({ each, text }) => <span key={each} class={each}>{text}</span>)}
    </span>
  );
}

function pressed(event: KeyboardEvent, press: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  press();
}

type CellProps = { row: Result; field: TemplateField; column: number; left: number | undefined; name: string; begins: boolean; tab: boolean; isOpen: boolean; isChosen: boolean; open: (row: Result, field: string) => void };

function Cell({ row, field, column, left: at, name, begins, tab, isOpen, isChosen, open }: CellProps) {
  const judgement = isJudgement(field.name) ? judged(row, field.name) : null;
  const { value, isChecked, some } = seen(row, field);
  const who = useWho();
  const last = isChecked || some ? lastOn(row, field) : undefined;
  const by = last ? checkedBy(last, who(last)) : "";
  const how = state(value);
  const text = judgement ? judgement.text : isChecked && how === "not_reported" ? t("not_reported") : shown(value, field);
  const press = () => open(row, field.name);
  return (
    <td
      class={`${judgement ? "judged" : isChecked ? "decided" : how}${last?.sending ? " sending" : ""}${begins ? " begins" : ""}${isOpen ? " open" : ""}${isChosen ? " chosen" : ""}${at === undefined ? "" : " pinned"}`}
      style={left(at)}
      aria-selected={isChosen}
      aria-colindex={column + 1}
      tabIndex={tab ? 0 : -1}
      data-cell={name}
      data-field={field.name}
      title={[text.length > 24 || by ? text : "", by].filter(Boolean).join("\n") || undefined}
      onClick={press}
      onKeyDown={(event) => pressed(event, press)}
    >
      {judgement ? <b class={`judgement ${judgement.tone}`}>{text}</b> : <span class="value">{(isChecked || some) && <span class="tick" aria-hidden="true">✓{some} </span>}{isChecked && how === "not_reported" ? text : <Told value={value} field={field} />}</span>}
      {!judgement && <span class="unseen">{isChecked || some ? by : t(how)}</span>}
    </td>
  );
}
