// What people have decided on a row's cells, laid over what the engine answered. The engine's answer stays as it is. Pure.
import type { Entry, FieldValue, Result, State, TemplateField } from "../shapes";
import { canonical, sha256 } from "./digest";
import { entries } from "./values";

export type Verb = "agree" | "correct" | "absent" | "comment" | "undo";
export type How = "one" | "block";
/** The decision in force at an address, as a row tells it. */
export type Decision = {
  id: string;
  verb: Verb;
  value?: unknown;
  quote?: string | null;
  page?: number | null;
  start?: number | null;
  end?: number | null;
  /** What our code says of its quote. */
  state?: State | null;
  reason?: NonNullable<FieldValue["reason"]> | null;
  comment?: string | null;
  by: string;
  name?: string | null;
  at: string;
  how: How;
  /** Made of another answer of the engine. */
  stale?: boolean;
  taskId?: string;
  /** Sent and not answered yet; `retry` where it got lost and is sent again. */
  sending?: "saving" | "retry";
};
export type Review = { checked: number; cells: Record<string, Decision> };

const HOLDS = new Set<Verb>(["agree", "correct", "absent"]);

export const decision = (row: Result, address: string): Decision | undefined => row.review?.cells[address];

const inForce = (found: Decision | undefined) => (found && HOLDS.has(found.verb) && !found.stale ? found : undefined);

/** The one that was made at this very address; none where there is only a note, or one that was made of another answer. */
export const holding = (row: Result, address: string): Decision | undefined => inForce(decision(row, address));

/** Whether a person has put something in the place of the engine's answer. */
export const isReplaced = (row: Result, address: string): boolean => ["correct", "absent"].includes(force(row, address)?.verb ?? "");

/** What holds for a cell: what stands in the place of all that it is part of, else the decision nearest to it. */
function force(row: Result, address: string): Decision | undefined {
  const steps = address.split("/");
  const holds = steps.flatMap((_, at) => holding(row, steps.slice(0, at + 1).join("/")) ?? []);
  return holds.find(({ verb }) => verb !== "agree") ?? holds.at(-1);
}

export const isList = (field: TemplateField): boolean => field.type.startsWith("[");

const keys = new WeakMap<Entry, string>();

/** The same entry has the same key in every run of the engine. */
export function entryKey(entry: Entry): string {
  const known = keys.get(entry) ?? sha256(canonical(entry.value)).slice(0, 12);
  keys.set(entry, known);
  return known;
}

/** An entry of a list as it stands: the engine's, or one that a person added. */
export type Part = {
  address: string;
  entry: Entry | null;
  value: unknown;
  /** What holds for the whole of it. */
  whole: Decision | undefined;
  /** By member. */
  members: Record<string, Decision>;
  isGone: boolean;
  isChecked: boolean;
};

const isItem = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** What is decided by itself of an entry: each member that it has, or the whole of a text. */
const leavesOf = (address: string, entry: Entry): string[] => {
  const names = isItem(entry.value) ? Object.keys(entry.value) : [];
  return names.length ? names.map((name) => `${address}/${name}`) : [address];
};

function part(row: Result, address: string, entry: Entry | null): Part {
  const whole = force(row, address);
  const members: Record<string, Decision> = {};
  for (const [name, found] of Object.entries(row.review?.cells ?? {})) {
    const held = name.startsWith(`${address}/`) && inForce(found);
    if (held) members[name.slice(address.length + 1)] = held;
  }
  const before = whole?.verb === "correct" ? whole.value : entry?.value;
  const changed = whole?.verb === "correct" ? [] : Object.entries(members).filter(([, each]) => each.verb !== "agree");
  const value = changed.length ? { ...(isItem(before) ? before : {}), ...Object.fromEntries(changed.map(([name, each]) => [name, each.verb === "correct" ? each.value : null])) } : before;
  const isChecked = entry === null || leavesOf(address, entry).every((leaf) => force(row, leaf));
  return { address, entry, value, whole, members, isGone: whole?.verb === "absent", isChecked };
}

/** Every entry of a list, the engine's first. What the paper says twice, each otherwise, is no list. */
export function parts(row: Result, field: TemplateField): Part[] {
  const value = row.extractedData?.fields?.[field.name];
  const listed = isList(field) && value?.state !== "contradictory" ? entries(value) : [];
  const found = new Map(listed.map((entry) => [`${field.name}/${entryKey(entry)}`, entry]));
  const all = [...found].map(([address, entry]) => part(row, address, entry));
  const added = new Set<string>();
  for (const [name, each] of Object.entries(row.review?.cells ?? {})) {
    if (name.startsWith(`${field.name}/+`) && inForce(each)) added.add(name.split("/").slice(0, 2).join("/"));
  }
  return [...all, ...[...added].map((address) => part(row, address, null))];
}

const roots = new WeakMap<Review, Set<string>>();

/** The fields of a row on which anything was decided. */
function touched(review: Review): Set<string> {
  const known = roots.get(review) ?? new Set(Object.keys(review.cells).map((address) => address.split("/", 1)[0]!));
  roots.set(review, known);
  return known;
}

const isTouched = (row: Result, field: TemplateField) => row.review != null && touched(row.review).has(field.name);

/** What of a field is to be checked, by address: a list entry by entry, an entry member by member. */
function leaves(row: Result, field: TemplateField): string[] {
  const own = parts(row, field).flatMap(({ address, entry }) => (entry ? leavesOf(address, entry) : []));
  return own.length ? own : [field.name];
}

export const isChecked = (row: Result, field: TemplateField): boolean => isTouched(row, field) && leaves(row, field).every((leaf) => force(row, leaf));

/** The last decision on a field, of a list on any of its entries: who is told. */
export function lastOn(row: Result, field: TemplateField): Decision | undefined {
  if (!isTouched(row, field)) return undefined;
  const found = Object.entries(row.review?.cells ?? {}).filter(([name, each]) => (name === field.name || name.startsWith(`${field.name}/`)) && inForce(each));
  return found.map(([, each]) => each).sort((a, b) => a.at.localeCompare(b.at)).at(-1);
}

/** Where a person decided on another answer than the one that stands here now. */
export const isStale = (row: Result, field: TemplateField): boolean =>
  isTouched(row, field) && Object.entries(row.review?.cells ?? {}).some(([name, each]) => each.stale && HOLDS.has(each.verb) && name.split("/", 1)[0] === field.name);

export type Seen = { value: FieldValue | undefined; isChecked: boolean; /** Of a list that is being checked: how many of how many. */ some: string };

const plain = (value: unknown): FieldValue => ({ value, state: "found", page: null, match: null });

/** A cell as it stands: what people decided, else what the engine answered. */
export function seen(row: Result, field: TemplateField): Seen {
  const value = row.extractedData?.fields?.[field.name];
  if (!isTouched(row, field)) return { value, isChecked: false, some: "" };
  const held = holding(row, field.name);
  if (held?.verb === "absent") return { value: { ...plain(null), state: "not_reported" }, isChecked: true, some: "" };
  if (held?.verb === "correct") return { value: plain(held.value), isChecked: true, some: "" };
  if (!isList(field)) return { value, isChecked: held !== undefined, some: "" };
  const all = parts(row, field);
  if (!all.length) return { value, isChecked: held !== undefined, some: "" };
  const own = all.filter((each) => each.entry);
  const done = own.filter((each) => each.isChecked).length;
  const shown = all.filter((each) => !each.isGone).map((each) => ({ ...(each.entry ?? { page: null, match: null }), state: each.isChecked ? "found" : (each.entry?.state ?? "found"), value: each.value }));
  const some = done && done < own.length ? `${done}/${own.length}` : "";
  return { value: { ...(value ?? plain([])), state: shown.length ? "found" : "not_reported", value: shown }, isChecked: isChecked(row, field), some };
}

/** Of a paper, or a table: how many cells there are to check, how many are checked, by field too. */
export type Checked = { cells: number; checked: number; byField: Map<string, { cells: number; checked: number }> };

const tallies = new WeakMap<Result, Checked>();
const NONE: Checked = { cells: 0, checked: 0, byField: new Map() };

/** How many cells a field of a paper has. Of what nobody has touched, no entry's address is made: there may be very many. */
function size(row: Result, field: TemplateField): number {
  const value = row.extractedData?.fields?.[field.name];
  if (!isList(field) || value?.state === "contradictory") return 1;
  const each = new Map(entries(value).map((entry) => [JSON.stringify(entry.value), entry]));
  return [...each.values()].reduce((sum, entry) => sum + leavesOf("", entry).length, 0) || 1;
}

/** Of one paper. One that changes is another row. */
export function tally(row: Result, fields: TemplateField[]): Checked {
  if (row.status !== "completed") return NONE;
  const known = tallies.get(row);
  if (known) return known;
  const made: Checked = { cells: 0, checked: 0, byField: new Map() };
  for (const field of fields) {
    if (!row.extractedData?.fields?.[field.name]) continue;
    const cells = size(row, field);
    const checked = isTouched(row, field) ? leaves(row, field).filter((leaf) => force(row, leaf)).length : 0;
    made.byField.set(field.name, { cells, checked });
    made.cells += cells;
    made.checked += checked;
  }
  tallies.set(row, made);
  return made;
}

/** Whether nothing of a field of a paper is left to check. */
export function isDone(row: Result, field: TemplateField, fields: TemplateField[]): boolean {
  const own = tally(row, fields).byField.get(field.name);
  return !own || own.checked >= own.cells;
}

export function counted(rows: Result[], fields: TemplateField[]): Checked {
  const all: Checked = { cells: 0, checked: 0, byField: new Map() };
  for (const row of rows) {
    const own = tally(row, fields);
    all.cells += own.cells;
    all.checked += own.checked;
    for (const [name, { cells, checked }] of own.byField) {
      const before = all.byField.get(name) ?? { cells: 0, checked: 0 };
      all.byField.set(name, { cells: before.cells + cells, checked: before.checked + checked });
    }
  }
  return all;
}
