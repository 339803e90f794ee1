// What a row and a value come to: its text in a cell, how far it can be trusted, how rows are chosen and ordered. Pure.
import type { Evidence, FieldValue, Result, TemplateField } from "../shapes";
import { t, told } from "../words";
import { isJudgement, judged } from "./judgements";

export type Trust = "verified" | "unverified" | "not_reported" | "unclear" | "none";
export type Filter = "all" | "errors" | "incomplete" | "unverified";

type Item = Record<string, unknown> & { evidence?: Evidence[] };
const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);

/** Every quote that a value rests on. */
export function evidence(value: FieldValue | undefined): Evidence[] {
  if (!value) return [];
  const inside = Array.isArray(value.value) ? value.value.filter(isItem).flatMap((item) => item.evidence ?? []) : [];
  const all = inside.length ? inside : (value.evidence ?? []);
  return all.length ? all : value.quote || value.match ? [value] : [];
}

export function trust(value: FieldValue | undefined): Trust {
  if (!value) return "none";
  if (value.state === "not_reported") return "not_reported";
  if (value.state === "unclear") return "unclear";
  const found = evidence(value);
  return found.length && found.every((each) => each.match === "exact" || each.match === "fuzzy") ? "verified" : "unverified";
}

export function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) return value.map(plain).join("; ");
  if (isItem(value)) {
    return Object.entries(value)
      .filter(([name, part]) => name !== "evidence" && part !== null && part !== "")
      .map(([, part]) => plain(part))
      .join(", ");
  }
  return String(value);
}

export function shown(value: FieldValue | undefined): string {
  if (!value || value.state === "not_reported") return "–";
  return plain(value.value) || (value.state === "unclear" ? "?" : "–");
}

export function study(row: Result): string {
  const known = row.extractedData?.studyId || row.summary?.study || "";
  // A year alone names no study.
  if (/\p{L}/u.test(known)) return known;
  const title = row.extractedData?.fields?.["title"];
  const isNamed = trust(title) === "verified" && typeof title?.value === "string" && title.value;
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

export function unverified(row: Result): number {
  if (row.summary?.unverified !== undefined) return row.summary.unverified;
  return Object.values(row.extractedData?.fields ?? {}).filter((value) => trust(value) === "unverified").length;
}

export function isIncomplete(row: Result): boolean {
  return row.status === "completed" && (row.extractedData?.complete ?? row.summary?.complete) === false;
}

export function passes(row: Result, filter: Filter): boolean {
  if (filter === "errors") return row.status === "error" || row.status === "cancelled";
  if (filter === "incomplete") return isIncomplete(row);
  if (filter === "unverified") return unverified(row) > 0;
  return true;
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
  if (!value || value.state === "not_reported") return "";
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
