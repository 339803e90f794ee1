// The table of a sheet: of its rows and columns only those in view are in the page, and the one where the focus is. One stop of
// Tab: arrows, Home, End, Page Up and Page Down move; Enter or F2 edits, or tells of a column on its head; Delete empties.
import { memo } from "preact/compat";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLooks } from "../looks";
import { useLanguage } from "../words";
import type { CellChange, Marks } from "./pending";
import { type ColumnView, NUMERIC, type Value, fits, shown, valueIn } from "./shapes";
import { coded, s } from "./words";

export const ROW_PX = 32;
export const HEAD_PX = 66;
const AROUND_ROWS = 10;
const AROUND_COLUMNS = 2;
const PAGE = 15;
/** The row of the heads, the column of the rows' numbers. */
export const HEAD = -1;
export const NAMES = -1;

export type At = { row: number; column: number };
type Props = {
  name: string;
  columns: ColumnView[];
  total: number;
  rowAt: (index: number) => Value[] | undefined;
  /** Changes when rows have come. */
  came: number;
  want: (from: number, to: number) => void;
  marks: Marks;
  canEdit: boolean;
  at: At;
  setAt: (at: At) => void;
  /** Edit where `at` is, as the bar's button asks for it. */
  asked: number;
  commit: (row: number, column: number, before: Value, text: string) => void;
  empty: () => void;
  removeRow: () => void;
  undo: () => void;
  open: (column: number) => void;
  opened: number | null;
};

type Span = { top: number; bottom: number; from: number; to: number };
type Editing = At & { text: string; before: Value };

const LEAST: Partial<Record<ColumnView["type"], number>> = { date: 116, datetime: 176, text: 220, category: 130, id: 120 };
const MOST_PX = 240;
const AROUND_PX = 24;
const wide = /[\u2e80-\uffef]/g;
const lengthOf = (text: string, letter: number): number => text.length * letter + (text.match(wide)?.length ?? 0) * letter * 0.9;

const typeOf = (column: ColumnView): string => coded("type", column.type) ?? column.type;
const countsOf = ({ missing, invalid }: ColumnView): string =>
  [missing ? s("missingN", { n: missing }) : "", invalid ? s("invalidN", { n: invalid }) : ""].filter(Boolean).join(" · ") || s("complete");

/** Its head can be read, and most of its values. */
function widthOf(column: ColumnView): number {
  const head = Math.max(lengthOf(column.name, 8.6) + (column.warnings.length ? 14 : 0), lengthOf(`${column.unit ?? ""} ${typeOf(column)}`, 6.8), lengthOf(countsOf(column), 6.6));
  return Math.max(LEAST[column.type] ?? 96, Math.min(MOST_PX, head + AROUND_PX));
}

/** As wide as the last row's number. */
const namesPx = (total: number): number => Math.max(44, 22 + 9 * String(total).length);

/** Where each column begins, and the end of the last. */
function beginnings(columns: ColumnView[]): number[] {
  const found = [0];
  for (const column of columns) found.push((found.at(-1) ?? 0) + Math.round(widthOf(column)));
  return found;
}

export function Grid(props: Props) {
  const { name, columns, total, rowAt, came, want, marks, canEdit, at, setAt, asked, commit, opened } = props;
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const lefts = useMemo(() => beginnings(columns), [columns, language]);
  const names = namesPx(total);
  const width = names + (lefts.at(-1) ?? 0);
  const [span, setSpan] = useState<Span>({ top: 0, bottom: 24, from: 0, to: 8 });
  const [editing, edit] = useState<Editing | null>(null);
  const wants = useRef(false);
  const look = () => {
    const frame = box.current;
    if (!frame) return;
    const [left, right] = [frame.scrollLeft, frame.scrollLeft + frame.clientWidth - names];
    const first = Math.floor(frame.scrollTop / ROW_PX);
    const last = Math.ceil((frame.scrollTop + frame.clientHeight - HEAD_PX) / ROW_PX);
    const from = Math.max(0, lefts.findIndex((each) => each > left) - 1 - AROUND_COLUMNS);
    const after = lefts.findIndex((each) => each >= right);
    const next = { top: Math.max(0, first - AROUND_ROWS), bottom: Math.min(total, last + AROUND_ROWS), from, to: Math.min(columns.length, (after < 0 ? columns.length : after) + AROUND_COLUMNS) };
    setSpan((before) => (before.top === next.top && before.bottom === next.bottom && before.from === next.from && before.to === next.to ? before : next));
  };
  useLooks(box, look, [lefts, total]);
  useEffect(() => want(Math.max(0, span.top), Math.max(0, span.bottom - 1)), [span.top, span.bottom, want]);
  const bring = ({ row, column }: At) => {
    const frame = box.current;
    if (!frame) return;
    const [top, room] = [row * ROW_PX, frame.clientHeight - HEAD_PX];
    if (row >= 0 && top < frame.scrollTop) frame.scrollTop = top;
    else if (row >= 0 && top + ROW_PX > frame.scrollTop + room) frame.scrollTop = top + ROW_PX - room;
    if (column < 0) return;
    const [left, right, wide] = [lefts[column] ?? 0, lefts[column + 1] ?? 0, frame.clientWidth - names];
    if (left < frame.scrollLeft) frame.scrollLeft = left;
    else if (right > frame.scrollLeft + wide) frame.scrollLeft = Math.min(left, right - wide);
  };
  const to = (next: At) => {
    const within = { row: Math.min(Math.max(next.row, HEAD), total - 1), column: Math.min(Math.max(next.column, NAMES), columns.length - 1) };
    wants.current = true;
    setAt(within);
    bring(within);
  };
  useLayoutEffect(() => {
    if (!wants.current || editing) return;
    wants.current = false;
    box.current?.querySelector<HTMLElement>(`[data-at="${at.row}:${at.column}"]`)?.focus({ preventScroll: true });
  });
  const valueAt = ({ row, column }: At): Value | undefined => marks.cells.get(row)?.get(column)?.value ?? (marks.cells.get(row)?.has(column) ? null : valueIn(rowAt(row), column));
  const begin = (text?: string) => {
    const value = valueAt(at);
    if (!canEdit || at.row < 0 || at.column < 0 || value === undefined || marks.removed.has(at.row)) return;
    bring(at);
    edit({ ...at, text: text ?? shown(value), before: value });
  };
  useEffect(() => {
    if (asked) begin();
  }, [asked]);
  const end = (text: string | null, next: At | null) => {
    if (!editing) return;
    // What was not touched stays what it was, and is no text of its own.
    if (text !== null && text !== shown(editing.before)) commit(editing.row, editing.column, editing.before, text);
    edit(null);
    if (next) to(next);
  };
  const keys = (event: KeyboardEvent) => {
    if (editing || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      props.undo();
      return;
    }
    const next = target(event, at, total, columns.length);
    if (next) {
      event.preventDefault();
      to(next);
    } else act(event);
  };
  const act = (event: KeyboardEvent) => {
    const { key } = event;
    const opens = at.row === HEAD && at.column >= 0;
    if (opens && (key === "Enter" || key === " ")) {
      event.preventDefault();
      props.open(at.column);
    } else if (key === "Enter" || key === "F2") {
      event.preventDefault();
      begin();
    } else if (canEdit && (key === "Delete" || key === "Backspace") && at.row >= 0) {
      event.preventDefault();
      if (at.column === NAMES) props.removeRow();
      else props.empty();
    } else if (key.length === 1 && key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      begin(key);
    }
  };
  const placed = (event: Event): At | null => {
    const told = (event.target as HTMLElement).closest<HTMLElement>("[data-at]")?.dataset["at"];
    if (!told) return null;
    const [row = 0, column = 0] = told.split(":").map(Number);
    return { row, column };
  };
  const focused = (event: FocusEvent) => {
    const place = placed(event);
    if (place && (place.row !== at.row || place.column !== at.column)) setAt(place);
  };
  const clicked = (event: MouseEvent) => {
    const place = placed(event);
    if (place?.row === HEAD && place.column >= 0) props.open(place.column);
  };
  // What has the focus stays in the page wherever the table is scrolled to.
  const rows = inside(span.top, Math.min(span.bottom, total), at.row, total);
  const inView = inside(span.from, Math.min(span.to, columns.length), at.column, columns.length);
  const shownColumns = useMemo(() => inView, [inView.join()]);
  const isAt = (row: number, column: number) => at.row === row && at.column === column;
  return (
    <div class="sheet-box" ref={box} onKeyDown={keys} onFocusIn={focused} onClick={clicked} onDblClick={() => begin()}>
      <div role="grid" class="sheet-grid" aria-label={s("grid", { name })} aria-readonly={!canEdit} aria-rowcount={total + 1} aria-colcount={columns.length + 1} style={{ "--names": `${names}px`, width: `${width}px`, height: `${HEAD_PX + total * ROW_PX}px` }}>
        <div role="row" class="sheet-heads" aria-rowindex={1} style={{ width: `${width}px` }}>
          <div role="columnheader" class="sheet-corner" aria-colindex={1} tabIndex={isAt(HEAD, NAMES) ? 0 : -1} data-at={`${HEAD}:${NAMES}`}><span class="unseen">{s("rowN", { n: "" })}</span></div>
          {shownColumns.map((place) => {
            const column = columns[place];
            return column && <Head key={place} language={language} column={column} place={place} left={names + (lefts[place] ?? 0)} width={(lefts[place + 1] ?? 0) - (lefts[place] ?? 0)} total={total} tab={isAt(HEAD, place)} isOpen={opened === place} />;
          })}
        </div>
        {rows.map((row) => (
          <Row key={row} language={language} index={row} values={rowAt(row)} came={rowAt(row) ? 0 : came} places={shownColumns} columns={columns} lefts={lefts} changed={marks.cells.get(row)} isRemoved={marks.removed.has(row)} tab={at.row === row ? at.column : null} editing={editing?.row === row ? editing : null} end={end} />
        ))}
      </div>
    </div>
  );
}

/** From one to before the other, and one beside them where it is not among them. */
function inside(from: number, to: number, one: number, all: number): number[] {
  const found = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  if (one >= 0 && one < all && one < from) found.unshift(one);
  else if (one >= to && one < all) found.push(one);
  return found;
}

function target({ key, ctrlKey, metaKey }: KeyboardEvent, at: At, rows: number, columns: number): At | null {
  const far = ctrlKey || metaKey;
  const steps: Record<string, At> = {
    ArrowUp: { row: far ? HEAD : at.row - 1, column: at.column }, ArrowDown: { row: far ? rows - 1 : at.row + 1, column: at.column },
    ArrowLeft: { row: at.row, column: far ? NAMES : at.column - 1 }, ArrowRight: { row: at.row, column: far ? columns - 1 : at.column + 1 },
    PageUp: { row: Math.max(0, at.row - PAGE), column: at.column }, PageDown: { row: at.row + PAGE, column: at.column },
    Home: { row: far ? 0 : at.row, column: 0 }, End: { row: far ? rows - 1 : at.row, column: columns - 1 },
  };
  return steps[key] ?? null;
}

type HeadProps = { language: string; column: ColumnView; place: number; left: number; width: number; total: number; tab: boolean; isOpen: boolean };

const Head = memo(function Head({ column, place, left, width, total, tab, isOpen }: HeadProps) {
  const share = (n: number) => `${total ? Math.max(n ? 2 : 0, (n * 100) / total) : 0}%`;
  return (
    <div role="columnheader" class={`sheet-head${isOpen ? " open" : ""}`} aria-colindex={place + 2} aria-description={s("about")} tabIndex={tab ? 0 : -1} data-at={`${HEAD}:${place}`} style={{ left: `${left}px`, width: `${width}px` }} title={`${column.name}${column.unit ? ` (${column.unit})` : ""}`}>
      <strong>{column.name}{column.warnings.length > 0 && <i class="doubt" aria-hidden="true"> !</i>}</strong>
      <span class="sheet-type">{column.unit && <b>{column.unit}</b>} {typeOf(column)}</span>
      <span class={`sheet-counts${column.invalid ? " wrong" : ""}`}>{countsOf(column)}</span>
      <span class="sheet-bar" aria-hidden="true"><i class="missing" style={{ width: share(column.missing) }} /><i class="invalid" style={{ width: share(column.invalid) }} /></span>
    </div>
  );
});

type RowProps = {
  language: string;
  index: number;
  values: Value[] | undefined;
  came: number;
  places: number[];
  columns: ColumnView[];
  lefts: number[];
  changed: Map<number, CellChange> | undefined;
  isRemoved: boolean;
  /** The column of the cell of this row that Tab comes to. */
  tab: number | null;
  editing: Editing | null;
  end: (text: string | null, next: At | null) => void;
};

/** What it is drawn from; what ends an edit is of the drawing that began it. */
const isSame = (a: RowProps, b: RowProps): boolean =>
  a.editing === null && b.editing === null && a.language === b.language && a.values === b.values && a.came === b.came && a.places === b.places && a.lefts === b.lefts && a.columns === b.columns && a.changed === b.changed && a.isRemoved === b.isRemoved && a.tab === b.tab;

const Row = memo(function Row({ index, values, places, columns, lefts, changed, isRemoved, tab, editing, end }: RowProps) {
  return (
    <div role="row" class={`sheet-row${index % 2 ? " odd" : ""}${isRemoved ? " removed" : ""}`} aria-rowindex={index + 2} style={{ transform: `translateY(${HEAD_PX + index * ROW_PX}px)` }}>
      <div role="rowheader" class="sheet-name" aria-colindex={1} tabIndex={tab === NAMES ? 0 : -1} data-at={`${index}:${NAMES}`}>{index + 1}{isRemoved && <span class="unseen"> {s("isRemoved")}</span>}</div>
      {places.map((place) => {
        const column = columns[place];
        if (!column) return null;
        const change = changed?.get(place);
        const value = change ? change.value : valueIn(values, place);
        const isWaiting = !change && values === undefined;
        const isUnfit = !isWaiting && !fits(value ?? null, column.type);
        const text = shown(value);
        const where = { left: `calc(var(--names) + ${lefts[place] ?? 0}px)`, width: `${(lefts[place + 1] ?? 0) - (lefts[place] ?? 0)}px` };
        const isEdited = editing?.column === place;
        const told = isWaiting ? s("notLoaded") : text === "" ? s("missing") : isUnfit ? s("unfit") : "";
        return (
          <div
            key={place}
            role="gridcell"
            class={`sheet-cell${NUMERIC.has(column.type) && typeof value === "number" ? " number" : ""}${isWaiting ? " waits" : text === "" ? " missing" : ""}${isUnfit ? " unfit" : ""}${change ? " changed" : ""}`}
            aria-colindex={place + 2}
            aria-invalid={isUnfit || undefined}
            tabIndex={tab === place && !isEdited ? 0 : -1}
            data-at={`${index}:${place}`}
            style={where}
            title={text.length > 12 || isUnfit ? [text, isUnfit ? s("unfit") : ""].filter(Boolean).join("\n") : undefined}
          >
            {isEdited && editing ? <Input editing={editing} label={s("editing", { column: column.name, n: index + 1 })} end={end} /> : <>{text}{(told || change) && <span class="unseen"> {[told, change ? s("isChanged") : ""].filter(Boolean).join(", ")}</span>}</>}
          </div>
        );
      })}
    </div>
  );
}, isSame);

function Input({ editing, label, end }: { editing: Editing; label: string; end: (text: string | null, next: At | null) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const { row, column } = editing;
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(editing.text.length, editing.text.length);
  }, []);
  const close = (text: string | null, next: At | null) => {
    if (isOver.current) return;
    isOver.current = true;
    end(text, next);
  };
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.isComposing) return;
    const by = event.shiftKey ? -1 : 1;
    const text = field.current?.value ?? "";
    const ways: Record<string, () => void> = {
      Enter: () => close(text, { row: Math.max(0, row + by), column }),
      Tab: () => close(text, { row, column: Math.max(0, column + by) }),
      Escape: () => close(null, { row, column }),
    };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    way();
  };
  // Who presses elsewhere has typed what was typed, and is there then.
  return <input ref={field} type="text" aria-label={label} autocomplete="off" spellcheck={false} defaultValue={editing.text} onKeyDown={keys} onBlur={() => close(field.current?.value ?? "", null)} onDblClick={(event) => event.stopPropagation()} />;
}
