// What a row and a value come to: its text in a cell, how far it can be trusted, how rows are chosen and ordered. Pure.
import type { Entry, Evidence, FieldValue, Result, State, TemplateField } from "../shapes";
import { choice, t, told } from "../words";
import { isJudgement, judged } from "./judgements";

export type Filter = "all" | "errors" | "doubts" | "checked" | "unchecked" | State;

const isItem = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isEntry = (value: unknown): value is Entry => isItem(value) && "state" in value && "match" in value;

/** The entries of a list, or the two things that a paper says; none of a plain value. */
export function entries(value: FieldValue | undefined): Entry[] {
  if (value?.state === "contradictory") return value.evidence ?? [];
  return Array.isArray(value?.value) ? value.value.filter(isEntry) : [];
}

/** A quote, and what of a list or a contradiction rests on it. */
export type Ground = Evidence & { of: string[] };

/** Every quote that a value rests on, each once. */
export function evidence(value: FieldValue | undefined): Ground[] {
  const found = new Map<string, Ground>();
  const add = (each: Evidence, of: string[]) => {
    if (!each.quote) return;
    const key = `${each.start} ${each.reason} ${each.quote}`;
    found.set(key, { ...each, of: [...(found.get(key)?.of ?? []), ...of] });
  };
  for (const entry of entries(value)) {
    const of = isItem(entry.value) ? Object.values(entry.value)[0] : entry.value;
    for (const each of entry.evidence?.length ? entry.evidence : [entry]) add(each, [plain(of)].filter(Boolean));
  }
  if (value && !found.size) add(value, []);
  return [...found.values()];
}

/** What of a list is not as sure as the rest. */
export const doubted = (value: FieldValue | undefined): Entry[] => entries(value).filter((entry) => entry.state !== "found");

/** What is known of a field; a row that is not read has none. */
export const state = (value: FieldValue | undefined): State => value?.state ?? "not_attempted";

/** In words; of a field that offers choices, what they are called. */
export function plain(value: unknown, field?: TemplateField): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) return value.map((each) => plain(each, field)).join("; ");
  if (isEntry(value)) return plain(value.value, field);
  if (isItem(value)) {
    return Object.entries(value)
      .filter(([, part]) => part !== null && part !== "")
      .map(([name, part]) => plain(part, field?.fields?.find((each) => each.name === name)))
      .join(", ");
  }
  return field ? choice(field, String(value)) : String(value);
}

export function shown(value: FieldValue | undefined, field?: TemplateField): string {
  if (value?.state === "contradictory") return entries(value).map((each) => plain(each, field)).join(" ↔ ");
  const text = plain(value?.value, field) || "–";
  return value?.quotation ? `“${text}”` : text;
}

/** Why a value could not be confirmed: that the quote says otherwise only where something else was seen in it. */
export function doubt(value: Evidence): string {
  return value.reason ? t(`reason_${value.reason}`) : "";
}

export function study(row: Result): string {
  if (row.label) return row.label;
  const known = row.extractedData?.studyId || row.summary?.study || "";
  // A year alone names no study.
  if (/\p{L}/u.test(known)) return known;
  const title = row.extractedData?.fields?.["title"];
  const isNamed = state(title) === "found" && typeof title?.value === "string" && title.value;
  return isNamed || row.snapshotFilename || row.documentId;
}

/** The study and the file that it was read from, where they are not the same. */
export function source(row: Result): string {
  const name = study(row);
  return [name, row.snapshotFilename === name ? "" : row.snapshotFilename].filter(Boolean).join(" · ");
}

/** Why a row failed. */
export const fault = (row: Result): string => told(row.errorClass ?? "", row.errorMessage || row.errorClass || "");

const words = new WeakMap<Result, string>();

/** Whether all of these words stand somewhere in the row: its study, its file, its values. */
export function mentions(row: Result, text: string): boolean {
  if (!text) return true;
  let all = words.get(row);
  if (all === undefined) {
    const values = Object.values(row.extractedData?.fields ?? {}).map((value) => plain(value.value));
    all = [source(row), row.errorMessage ?? "", ...values].join(" ").toLowerCase();
    words.set(row, all);
  }
  const found = all;
  return text.toLowerCase().split(/\s+/).every((word) => found.includes(word));
}

/** How many fields of a row are in a state. */
export const cells = (row: Result, of: State): number => row.summary?.cells?.[of] ?? 0;

export const hasDoubts = (row: Result): boolean => (row.summary?.doubts ?? 0) > 0;

/** `told`: how many cells a row has, and how many of them are checked. */
export function passes(row: Result, filter: Filter, told: (row: Result) => { cells: number; checked: number } = () => ({ cells: 0, checked: 0 })): boolean {
  if (filter === "all") return true;
  if (filter === "checked") return told(row).checked > 0;
  if (filter === "unchecked") return told(row).checked < told(row).cells;
  if (filter === "errors") return row.status === "error" || row.status === "cancelled";
  return filter === "doubts" ? hasDoubts(row) : cells(row, filter) > 0;
}

export type Order = { name: string; down: boolean };

export function readOrder(text: string | undefined): Order | null {
  if (!text) return null;
  return text.startsWith("-") ? { name: text.slice(1), down: true } : { name: text, down: false };
}

function key(row: Result, name: string): string | number {
  if (name === "study") return study(row).toLowerCase();
  if (name === "status") return row.status;
  if (isJudgement(name)) return judged(row, name).rank;
  const value = row.extractedData?.fields?.[name];
  if (!value) return "";
  return typeof value.value === "number" ? value.value : plain(value.value).toLowerCase();
}

/** Rows in an order; those without a value last, whichever way. */
export function ordered(rows: Result[], order: Order | null): Result[] {
  if (!order) return rows;
  const sign = order.down ? -1 : 1;
  const keyed = rows.map((row) => [row, key(row, order.name)] as const);
  keyed.sort(([, a], [, b]) => {
    if (a === "" || b === "") return Number(a === "") - Number(b === "");
    const compared = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
    return sign * compared;
  });
  return keyed.map(([row]) => row);
}

const WIDE: Record<string, number> = { integer: 110, number: 110, boolean: 110, enum: 160, "[object]": 300, "[string]": 220 };

export const width = (field: TemplateField): number => WIDE[field.type] ?? 200;
