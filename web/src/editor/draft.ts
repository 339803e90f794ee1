// A template as it is being edited: what it is made of, how it changes, what is wrong with it, how two differ. Pure.
import type { Schemas, Template, TemplateField } from "../shapes";

export type Part = { name: string; label: string; labelZh: string; description: string; type: string; options: string[]; optionsZh: Record<string, string> };
export type Field = Part & { id: number; section: string; cues: Record<string, string[]>; parts: Part[] };
export type Draft = { label: string; labelZh: string; description: string; fields: Field[] };
/** What is wrong, by place: `label`, or a field's id and the part of it: `7.options`. */
export type Problems = Map<string, string>;

export const TYPES = ["string", "integer", "number", "boolean", "enum", "[string]", "[object]"] as const;
export const PART_TYPES = TYPES.slice(0, -1);
export const MOST = { fields: 120, parts: 30, options: 30, label: 80, description: 600, option: 60, cues: 30 };
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const RESERVED = new Set(["evidence", "match", "page", "quote", "state", "status", "value", "study", "row", "v"]);
const CHOOSES = new Set(["enum", "[string]"]);
export const chooses = (type: string): boolean => CHOOSES.has(type);

let ids = 0;
export const newId = (): number => (ids += 1);

function part(field: TemplateField): Part {
  const { name, label, labelZh, description, type, options, optionsZh } = field;
  return { name, label, labelZh, description, type, options: [...(options ?? [])], optionsZh: { ...optionsZh } };
}

export function draftOf(template: Template & { fields: TemplateField[] }): Draft {
  const fields = template.fields.map((each): Field => ({ ...part(each), id: newId(), section: each.section, cues: each.cues ?? {}, parts: (each.fields ?? []).map(part) }));
  return { label: template.label, labelZh: template.labelZh, description: template.description, fields: inSections(fields) };
}

/** Sections in the order of their first fields, each in one piece. */
export function inSections(fields: Field[]): Field[] {
  return sectionsOf(fields).flatMap((name) => fields.filter((each) => each.section === name));
}

export const sectionsOf = (fields: Field[]): string[] => [...new Set(fields.map((each) => each.section))];

/** What differs is told by what would be sent. */
export const same = (a: Draft, b: Draft): boolean => JSON.stringify(sent(a)) === JSON.stringify(sent(b));

const trimmed = (options: string[]) => options.map((each) => each.trim()).filter(Boolean);

function sentPart({ name, label, labelZh, description, type, options, optionsZh }: Part) {
  const said = trimmed(options).map((each) => [each, optionsZh?.[each]?.trim() ?? ""]).filter(([, chinese]) => chinese);
  return { name, label: label.trim(), labelZh: labelZh.trim(), description: description.trim(), type, ...(chooses(type) ? { options: trimmed(options), optionsZh: Object.fromEntries(said) } : {}) };
}

/** A body of the API's, but for the version. */
export function sent(draft: Draft): Omit<Schemas["TemplateChange"], "version"> {
  const fields = draft.fields.map((each) => {
    const choices = each.type === "boolean" ? ["true", "false"] : chooses(each.type) ? trimmed(each.options) : [];
    const cues = Object.fromEntries(choices.map((choice) => [choice, trimmed(each.cues[choice] ?? [])]).filter(([, words]) => words?.length));
    return { ...sentPart(each), section: each.section, cues, ...(each.type === "[object]" ? { fields: each.parts.map(sentPart) } : {}) };
  });
  return { label: draft.label.trim(), labelZh: draft.labelZh.trim(), description: draft.description.trim(), fields: fields as Schemas["NewField"][] };
}

/** A key from a label, that none has yet. */
export function keyOf(label: string, taken: Set<string>): string {
  const slug = label.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "_").replace(/^[^a-z]+|_+$/g, "").slice(0, 36) || "field";
  const free = (name: string) => !taken.has(name) && !RESERVED.has(name);
  if (free(slug)) return slug;
  for (let n = 2; ; n += 1) if (free(`${slug}_${n}`)) return `${slug}_${n}`;
}

export function blank(draft: Draft, section: string, label: string): Field {
  const taken = new Set(draft.fields.map((each) => each.name));
  return { id: newId(), name: keyOf(label, taken), label, labelZh: "", description: "", type: "string", options: [], optionsZh: {}, section, cues: {}, parts: [] };
}

/** One place up or down; over the edge of a section into the next one. */
export function moved(fields: Field[], id: number, by: 1 | -1): Field[] {
  const at = fields.findIndex((each) => each.id === id);
  const [field, other] = [fields[at], fields[at + by]];
  if (!field || !other) return fields;
  const next = [...fields];
  if (other.section !== field.section) next[at] = { ...field, section: other.section };
  else [next[at], next[at + by]] = [other, field];
  return inSections(next);
}

/** Before another field, and into its section. */
export function dropped(fields: Field[], id: number, before: number): Field[] {
  const [field, target] = [id, before].map((each) => fields.find((one) => one.id === each));
  if (!field || !target || field === target) return fields;
  const rest = fields.filter((each) => each !== field);
  rest.splice(rest.indexOf(target), 0, { ...field, section: target.section });
  return inSections(rest);
}

export function sectionMoved(fields: Field[], section: string, by: 1 | -1): Field[] {
  const order = sectionsOf(fields);
  const at = order.indexOf(section);
  const other = order[at + by];
  if (other === undefined) return fields;
  [order[at], order[at + by]] = [other, section];
  return order.flatMap((name) => fields.filter((each) => each.section === name));
}

function repeated(texts: string[], at: number): boolean {
  const text = texts[at]?.trim().toLowerCase();
  return Boolean(text) && texts.slice(0, at).some((each) => each.trim().toLowerCase() === text);
}

function partProblems(all: Part[], at: number, tell: (of: string, why: string) => void): void {
  const one = all[at] as Part;
  if (!one.label.trim()) tell("label", "needsLabel");
  else if (repeated(all.map((each) => each.label), at)) tell("label", "labelTwice");
  if (one.labelZh.trim() && repeated(all.map((each) => each.labelZh), at)) tell("labelZh", "labelTwice");
  if (!NAME.test(one.name)) tell("name", "nameForm");
  else if (RESERVED.has(one.name)) tell("name", "nameTaken");
  else if (repeated(all.map((each) => each.name), at)) tell("name", "nameTwice");
  if (!chooses(one.type)) return;
  const options = trimmed(one.options);
  if (one.type === "enum" && options.length < 2) tell("options", "needsChoices");
  else if (options.some((_, place) => repeated(options, place))) tell("options", "choiceTwice");
  else if (options.length > MOST.options) tell("options", "choicesMany");
}

/** What the API would refuse, by place. The words are the page's. */
export function problems(draft: Draft): Problems {
  const found: Problems = new Map();
  if (!draft.label.trim()) found.set("label", "needsLabel");
  if (!draft.fields.length) found.set("fields", "needsFields");
  if (draft.fields.length > MOST.fields) found.set("fields", "fieldsMany");
  draft.fields.forEach((field, at) => {
    partProblems(draft.fields, at, (of, why) => found.set(`${field.id}.${of}`, why));
    if (field.type !== "[object]") return;
    if (!field.parts.length) found.set(`${field.id}.parts`, "needsParts");
    field.parts.forEach((_, place) => partProblems(field.parts, place, (of, why) => found.set(`${field.id}.parts.${place}.${of}`, why)));
  });
  return found;
}

/** The API's `fields[3].options[1]` as a place here; a place of its own where there is none. */
export function placeOf(draft: Draft, path: string): string {
  const [, at, rest = ""] = /^fields\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const field = at === undefined ? undefined : draft.fields[Number(at)];
  if (!field) return path === "label" ? "label" : "fields";
  return `${field.id}.${rest.replace(/^fields\[(\d+)\]\.?/, "parts.$1.").replace(/\[\d+\]|\..*$/g, "") || "label"}`;
}

export type Difference = { kind: "added" | "removed" | "changed" | "moved"; label: string; what: string[] };
const PARTS: (keyof Field)[] = ["label", "labelZh", "description", "section", "type", "options", "optionsZh", "cues", "parts"];

/** Those of a longest run that kept their order: the rest has been moved. */
function unmoved(places: number[]): Set<number> {
  const runs = places.map((place) => [place]);
  places.forEach((place, at) => {
    for (let before = 0; before < at; before += 1) {
      const run = runs[before] as number[];
      if ((places[before] as number) < place && run.length >= (runs[at] as number[]).length) runs[at] = [...run, place];
    }
  });
  return new Set(runs.reduce((longest, run) => (run.length > longest.length ? run : longest), []));
}

/** How the later differs from the earlier, field by field; a field is known by its key. */
export function differences(before: Draft, after: Draft): Difference[] {
  const old = new Map(before.fields.map((each) => [each.name, each]));
  const names = after.fields.map((each) => each.name);
  const found: Difference[] = [];
  const places = new Map(before.fields.map((each, at) => [each.name, at]));
  const still = unmoved(names.flatMap((name) => places.get(name) ?? []));
  for (const field of after.fields) {
    const was = old.get(field.name);
    if (!was) found.push({ kind: "added", label: field.label, what: [] });
    else {
      const what = PARTS.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(field[name])).map(String);
      if (what.length) found.push({ kind: "changed", label: field.label, what });
      else if (!still.has(places.get(field.name) as number)) found.push({ kind: "moved", label: field.label, what: [] });
    }
  }
  for (const field of before.fields) if (!names.includes(field.name)) found.push({ kind: "removed", label: field.label, what: [] });
  return found;
}
