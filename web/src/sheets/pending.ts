// What was changed in a sheet and is not saved: how it is undone, what is sent, and how it stands on a version that came between. Pure.
import type { Edit, Value } from "./shapes";

export type CellChange = { row: number; column: number; before: Value; value: Value };
export type Change = CellChange | { row: number; removed: true };
export type Pending = { version: number; sheet: number; total: number; past: Change[] };
export type Marks = { cells: Map<number, Map<number, CellChange>>; removed: Set<number>; count: number };
export type Clash = CellChange & { now: Value };

export const none = (version: number, sheet: number, total: number): Pending => ({ version, sheet, total, past: [] });
const isRemoval = (change: Change): change is { row: number; removed: true } => "removed" in change;

/** What all of it comes to: a cell that is back to what it was is not changed, one of a removed row does not count. */
export function marks(pending: Pending): Marks {
  const cells: Marks["cells"] = new Map();
  const removed = new Set<number>();
  for (const change of pending.past) {
    if (isRemoval(change)) {
      removed.add(change.row);
      continue;
    }
    const row = cells.get(change.row) ?? new Map<number, CellChange>();
    const before = row.has(change.column) ? (row.get(change.column) as CellChange).before : change.before;
    if (before === change.value) row.delete(change.column);
    else row.set(change.column, { ...change, before });
    if (row.size) cells.set(change.row, row);
    else cells.delete(change.row);
  }
  let count = removed.size;
  for (const [row, changed] of cells) if (!removed.has(row)) count += changed.size;
  return { cells, removed, count };
}

export const changed = (pending: Pending, change: Change): Pending => ({ ...pending, past: [...pending.past, change] });
export const undone = (pending: Pending): Pending => ({ ...pending, past: pending.past.slice(0, -1) });
/** A row that is to stay after all. */
export const restored = (pending: Pending, row: number): Pending => ({ ...pending, past: pending.past.filter((each) => !(isRemoval(each) && each.row === row)) });

export const cellsOf = ({ cells, removed }: Marks): CellChange[] =>
  [...cells].filter(([row]) => !removed.has(row)).flatMap(([, changed]) => [...changed.values()]);

export function sent(pending: Pending): Edit {
  const made = marks(pending);
  const cells = cellsOf(made).map(({ row, column, value }) => ({ row, column, value }));
  return { version: pending.version, sheet: pending.sheet, cells, removedRows: [...made.removed].sort((a, b) => a - b) };
}

/** On a later version: what stands there as it was wanted is done; where something else was changed, both are told. */
export function onto(pending: Pending, version: number, total: number, now: (row: number, column: number) => Value | undefined): { pending: Pending; clashes: Clash[]; outside: number } {
  const made = marks(pending);
  const past: Change[] = [...made.removed].filter((row) => row < total).map((row) => ({ row, removed: true }));
  const clashes: Clash[] = [];
  let outside = made.removed.size - past.length;
  for (const change of cellsOf(made)) {
    const found = now(change.row, change.column);
    if (found === undefined) {
      outside += 1;
      continue;
    }
    if (found === change.value) continue;
    if (found !== change.before) clashes.push({ ...change, now: found });
    past.push({ ...change, before: found });
  }
  return { pending: { version, sheet: pending.sheet, total, past }, clashes, outside };
}
