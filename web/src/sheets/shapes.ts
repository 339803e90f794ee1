// What the API says of workbooks, by its names, and what follows from a value and its column's type. Pure.
import type { Schemas } from "../shapes";

export type Value = Schemas["SheetRows"]["rows"][number][number];
export type SessionView = Schemas["Session"];
export type StatusView = Schemas["SessionStatus"];
export type Step = NonNullable<StatusView["step"]>;
export type ColumnView = Omit<Schemas["Column"], "top"> & { top: [Value, number][] };
export type Preview = Schemas["SheetRows"];
export type ColumnType = ColumnView["type"];
export type SheetView = Omit<Schemas["Sheet"], "columns"> & { columns: ColumnView[] };
export type Whole = Omit<Schemas["SessionDetail"], "sheets"> & { sheets: SheetView[] | null };
export type Edit = Schemas["SavedTable"] & { sheet: number; cells: Schemas["ChangedCell"][]; removedRows: number[] };

export const NUMERIC = new Set<ColumnType>(["integer", "float", "percent"]);
const DATE = /^\d{4}-\d{2}-\d{2}/;

/** Whether a value is of its column's type; what is missing is. */
export function fits(value: Value, type: ColumnType): boolean {
  if (value === null) return true;
  if (type === "integer") return Number.isInteger(value);
  if (NUMERIC.has(type)) return typeof value === "number";
  if (type === "boolean") return typeof value === "boolean";
  if (type === "date" || type === "datetime") return typeof value === "string" && DATE.test(value);
  return true;
}

export const shown = (value: Value | undefined): string => (value === null || value === undefined ? "" : String(value));

/** A row that ends early has nothing there; one that has not come is not known. */
export const valueIn = (row: Value[] | undefined, column: number): Value | undefined => (row ? (row[column] ?? null) : undefined);

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** A number where it stays what was typed: sixteen digits would not. */
function exact(text: string): number | null {
  const value = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) && text.replace(/\D/g, "").length <= 15 ? value : null;
}

/** What somebody typed, as this column has it; nothing typed is missing. */
export function typed(text: string, column: ColumnView, before: Value): Value {
  const plain = text.trim();
  if (plain === "") return null;
  if (column.type === "boolean" && /^(true|false)$/i.test(plain)) return plain.toLowerCase() === "true";
  const hasNumbers = NUMERIC.has(column.type) || typeof before === "number" || (column.top.length > 0 && column.top.every(([value]) => typeof value === "number"));
  return (hasNumbers ? exact(plain) : null) ?? text;
}
