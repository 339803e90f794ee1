// What the API says of workbooks, by its names, and what follows from a value and its column's type. Pure.

export type Value = number | string | boolean | null;
export type Step = "uploading" | "waiting" | "reading" | "cleaning" | "saving";
export type Status = "processing" | "ready" | "error";
export type SessionView = { sessionId: string; filename: string; size: number; createdAt: string; createdBy: string; expiresAt: string; version: number; status: Status; step: Step | null; errorMessage: string | null };
export type Save = { version: number; status: "processing" | "error"; step: Step | null; errorMessage: string | null };
export type StatusView = { sessionId: string; status: Status; step: Step | null; version: number; errorMessage: string | null; save: Save | null };
export type ColumnType = "integer" | "float" | "percent" | "date" | "datetime" | "boolean" | "category" | "text" | "id" | "empty" | "constant";
export type ColumnView = {
  index: number; header: string; name: string; unit: string | null; type: ColumnType;
  missing: number; missingTokens: Record<string, number>; invalid: number; invalidExamples: string[]; distinct: number | null;
  top: [Value, number][]; min: Value; max: Value; mean: Value; warnings: string[];
};
export type Note = { code: string; count: number; examples: string[] };
export type SheetView = { name: string; rows: number; columns: ColumnView[]; headerRow: number | null; notes: Note[]; problem: string | null };
export type Whole = SessionView & { sheets: SheetView[] | null };
export type Preview = { version: number; sheet: number; offset: number; total: number; columns: string[]; rows: Value[][] };
export type FileLink = { url: string; filename: string; contentType: string };
export type Links = { version: number; clean: FileLink | null; original: FileLink };
export type Edit = { version: number; sheet: number; cells: { row: number; column: number; value: Value }[]; removedRows: number[] };

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
