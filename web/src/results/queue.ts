// What to check next: every cell of the table has its place in an order, worst first. What is checked keeps its place, so that the
// order stands still while one goes through it. Pure.
import type { Result, State, TemplateField } from "../shapes";
import { isDone, isStale } from "./decided";
import { isJudgement } from "./judgements";
import { state } from "./values";

export const ORDERS = ["worst", "paper", "field"] as const;
export type QueueOrder = (typeof ORDERS)[number];
export type Place = { row: Result; field: TemplateField };

const WORST: State[] = ["contradictory", "unsupported", "not_reported", "not_found", "not_attempted", "found"];
const CHOICES = new Set(["enum", "boolean"]);

/** A choice counts for more than a text: judgements and tables rest on it. */
function badness(row: Result, field: TemplateField): number {
  const known = isStale(row, field) ? 0 : 1 + WORST.indexOf(state(row.extractedData?.fields?.[field.name]));
  return 2 * known + (CHOICES.has(field.type) ? 0 : 1);
}

/** Larger than there are columns, kinds of badness, and rows of a task. */
const [COLUMNS, KINDS, ROWS] = [10_000, 100, 1_000_000];
const KEYS: Record<QueueOrder, (bad: number, at: number, column: number) => number> = {
  worst: (bad, at, column) => (bad * ROWS + at) * COLUMNS + column,
  paper: (bad, at, column) => (at * KINDS + bad) * COLUMNS + column,
  field: (bad, at, column) => (column * KINDS + bad) * ROWS + at,
};

type Order = { rows: Result[]; columns: TemplateField[]; fields: TemplateField[]; order: QueueOrder };

/** The next cell to check after one, or before it, and past the end from the other one. None where all others are checked. One pass,
 *  without putting them all in order: there may be half a million. */
export function beside({ rows, columns, fields, order }: Order, from: { row: string; field: string } | null, step: -1 | 1): Place | undefined {
  const asked = columns.filter((field) => !isJudgement(field.name));
  const key = (row: Result, at: number, field: TemplateField, column: number) => step * KEYS[order](badness(row, field), at, column);
  const [at, column] = [rows.findIndex((row) => row.resultId === from?.row), asked.findIndex((field) => field.name === from?.field)];
  const here = rows[at] && asked[column] ? key(rows[at], at, asked[column], column) : -Infinity;
  let [after, afterKey]: [Place | undefined, number] = [undefined, Infinity];
  let [first, firstKey]: [Place | undefined, number] = [undefined, Infinity];
  rows.forEach((row, place) => {
    if (row.status !== "completed") return;
    asked.forEach((field, number) => {
      if ((place === at && number === column) || isDone(row, field, fields)) return;
      const found = key(row, place, field, number);
      if (found > here && found < afterKey) [after, afterKey] = [{ row, field }, found];
      if (found < firstKey) [first, firstKey] = [{ row, field }, found];
    });
  });
  return after ?? first;
}
