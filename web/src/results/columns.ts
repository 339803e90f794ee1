// Which columns of a template's table are shown, in what order, how wide, and which stay in view; kept in this browser. Pure but for that.
import { useState } from "preact/hooks";
import { keep, keptObject } from "../kept";
import type { TemplateField } from "../shapes";
import { width } from "./values";

export type Look = { hidden: string[]; order: string[]; widths: Record<string, number>; pinned: string[] };
export type Arranged = { columns: TemplateField[]; widths: number[]; pins: number };

const PLAIN: Look = { hidden: [], order: [], widths: {}, pinned: [] };
const NARROW_PX = 800;
export const [WIDTH_MIN, WIDTH_MAX, STEP] = [80, 800, 40];

/** Sections that belong to one question of a reviewer; judgements are bias. */
export const PRESETS = {
  pico: /^(design|participants|interventions|variables|outcomes|scope)$/,
  results: /^(flow|outcomes|statistics|results|harms)$/,
  bias: /^(randomisation|masking|methods|scope|reporting|open_science|rob_|nos_|judged)/,
} as const;
export type Preset = keyof typeof PRESETS;

export const preset = (look: Look, fields: TemplateField[], name: Preset): Look => ({
  ...look,
  hidden: fields.filter((field) => !PRESETS[name].test(field.section)).map((field) => field.name),
});

export function arrange(fields: TemplateField[], look: Look): Arranged {
  const place = (field: TemplateField, natural: number) => {
    const at = look.order.indexOf(field.name);
    return at < 0 ? natural : at;
  };
  const kept = fields.map((field, at) => [field, place(field, at)] as const).filter(([field]) => !look.hidden.includes(field.name));
  kept.sort(([, a], [, b]) => a - b);
  const columns = kept.map(([field]) => field);
  const isPinned = (field: TemplateField) => innerWidth > NARROW_PX && look.pinned.includes(field.name);
  const ordered = [...columns.filter(isPinned), ...columns.filter((field) => !isPinned(field))];
  return { columns: ordered, widths: ordered.map((field) => look.widths[field.name] ?? width(field)), pins: columns.filter(isPinned).length };
}

/** One place further, past the next column that is shown. */
export function moved(look: Look, fields: TemplateField[], name: string, step: -1 | 1): Look {
  const order = arrange(fields, { ...look, hidden: [], pinned: [] }).columns.map((field) => field.name);
  const shown = order.filter((each) => each === name || !look.hidden.includes(each));
  const other = shown[shown.indexOf(name) + step];
  if (other === undefined) return look;
  order.splice(order.indexOf(name), 1);
  order.splice(order.indexOf(other) + (step > 0 ? 1 : 0), 0, name);
  return { ...look, order };
}

export const toggled = (names: string[], name: string): string[] => (names.includes(name) ? names.filter((each) => each !== name) : [...names, name]);

export const resized = (look: Look, name: string, to: number): Look => ({
  ...look, widths: { ...look.widths, [name]: Math.round(Math.min(Math.max(to, WIDTH_MIN), WIDTH_MAX)) },
});

export function useLook(template: string) {
  const name = `sheaf.columns.${template}`;
  const [look, set] = useState<Look>(() => ({ ...PLAIN, ...keptObject<Look>(name) }));
  const choose = (next: Look) => {
    keep(name, JSON.stringify(next));
    set(next);
  };
  return [look, choose, () => choose(PLAIN)] as const;
}
