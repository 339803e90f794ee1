// Judgements of quality as columns of the table: which there are, what a row's come to, what each follows from. Pure.
// The server makes them by rule from the answers (`clinical.risk_of_bias`); nothing is judged here.
import type { Judgements, Result, TemplateField } from "../shapes";
import { t, type Word } from "../words";

type Tool = "rob2" | "nos";
type Group = "selection" | "comparability" | "outcome";
/** `asks` is how the names of the questions begin that a judgement follows from; "" where it follows from other judgements.
 *  `hangs` are the template's inputs that these questions hang on. */
type Column = { name: string; tool: Tool; word: Word; asks: string; hangs: string[] };
export type Tone = "good" | "fair" | "bad" | "plain" | "none";
export type Judged = { text: string; tone: Tone; rank: number | "" };

const OUTCOME = "assessedOutcome";
const CONFOUNDER = "mainConfounder";
const FOLLOW_UP = "adequateFollowUp";

// No field of a template has a dot in its name.
const COLUMNS: Column[] = [
  { name: "judged.overall", tool: "rob2", word: "rob_overall", asks: "", hangs: [OUTCOME] },
  { name: "judged.D1", tool: "rob2", word: "rob_D1", asks: "rob_1_", hangs: [] },
  { name: "judged.D2", tool: "rob2", word: "rob_D2", asks: "rob_2_", hangs: [] },
  { name: "judged.D3", tool: "rob2", word: "rob_D3", asks: "rob_3_", hangs: [OUTCOME] },
  { name: "judged.D4", tool: "rob2", word: "rob_D4", asks: "rob_4_", hangs: [OUTCOME] },
  { name: "judged.D5", tool: "rob2", word: "rob_D5", asks: "rob_5_", hangs: [OUTCOME] },
  { name: "judged.level", tool: "nos", word: "nos_level", asks: "", hangs: [OUTCOME, CONFOUNDER, FOLLOW_UP] },
  { name: "judged.total", tool: "nos", word: "nos_total", asks: "", hangs: [OUTCOME, CONFOUNDER, FOLLOW_UP] },
  { name: "judged.selection", tool: "nos", word: "nos_selection", asks: "nos_s", hangs: [OUTCOME] },
  { name: "judged.comparability", tool: "nos", word: "nos_comparability", asks: "nos_c", hangs: [CONFOUNDER] },
  { name: "judged.outcome", tool: "nos", word: "nos_outcome", asks: "nos_o", hangs: [OUTCOME, FOLLOW_UP] },
];
const TOOLS: Record<Tool, string> = { rob2: "RoB 2", nos: "Newcastle-Ottawa" };
const SECTION: Record<Tool, Word> = { rob2: "judgedRob2", nos: "judgedNos" };
const QUESTION: Record<Tool, RegExp> = { rob2: /^rob_[1-5]_[1-7]$/, nos: /^nos_[sco][1-4]$/ };
const MOST = { selection: 4, comparability: 2, outcome: 3, total: 9 } as const;
const RISK: Record<string, [Word, Tone, number]> = {
  low: ["riskLow", "good", 1], some_concerns: ["riskSome", "fair", 2], high: ["riskHigh", "bad", 3],
};
const LEVEL: Record<string, [Word, Tone, number]> = {
  good: ["levelGood", "good", 1], fair: ["levelFair", "fair", 2], poor: ["levelPoor", "bad", 3],
};

const found = (name: string): Column | undefined => COLUMNS.find((column) => column.name === name);

export const isJudgement = (name: string): boolean => found(name) !== undefined;

/** The columns that a template's questions lead to; none for a template that asks none. */
export function judgementColumns(fields: TemplateField[]): TemplateField[] {
  const asked = (tool: Tool) => fields.some((field) => QUESTION[tool].test(field.name));
  return COLUMNS.filter((column) => asked(column.tool)).map((column) => {
    const section = t(SECTION[column.tool]);
    const label = t(column.word);
    return {
      name: column.name, type: "enum", label, labelZh: label, description: "",
      section: `judged.${column.tool}`, sectionLabel: section, sectionLabelZh: section, options: [], optionsZh: {}, cues: {}, fields: [],
    };
  });
}

/** A row's judgement in such a column. */
export function judged(row: Result, name: string): Judged {
  const column = found(name);
  const all = row.extractedData?.judgements;
  if (!column || !all) return { text: t("notJudged"), tone: "none", rank: "" };
  if (column.tool === "rob2" ? !all.rob2 && all.nos : !all.nos && all.rob2) return { text: t("otherTool"), tone: "none", rank: "" };
  return column.tool === "rob2" ? ofTrial(all, name) : ofCohort(all, name);
}

function ofTrial(all: Judgements, name: string): Judged {
  const domain = name.slice("judged.".length);
  const told = domain === "overall" ? all.rob2?.overall : all.rob2?.domains?.[domain];
  if (domain === "overall" && all.rob2?.manySomeConcerns) return { text: t("riskMany"), tone: "fair", rank: 2.5 };
  return worded(RISK, told);
}

function ofCohort(all: Judgements, name: string): Judged {
  const what = name.slice("judged.".length);
  if (what === "level") return worded(LEVEL, all.nos?.level);
  const part = what as Group | "total";
  const stars = all.nos?.[part];
  const left = unanswered(all, part);
  if (typeof stars !== "number" || left === MOST[part]) return { text: t("notJudged"), tone: "none", rank: "" };
  const text = t("starsOf", { n: stars, all: MOST[part] });
  return { text: left ? `${text} · ${t("leftOutN", { n: left })}` : text, tone: "plain", rank: stars };
}

function unanswered(all: Judgements, part: Group | "total"): number {
  const left = all.nos?.unanswered ?? [];
  return part === "total" ? left.length : left.filter((question) => question.startsWith(`nos_${part[0]}`)).length;
}

function worded(words: Record<string, [Word, Tone, number]>, told: string | null | undefined): Judged {
  const said = told ? words[told] : undefined;
  return said ? { text: t(said[0]), tone: said[1], rank: said[2] } : { text: t("notJudged"), tone: "none", rank: "" };
}

/** Whether rows were read for judgements, and none of them has one. */
export function isNothingJudged(rows: Result[], columns: TemplateField[]): boolean {
  const asked = columns.filter((column) => isJudgement(column.name));
  const read = rows.filter((row) => row.status === "completed");
  return asked.length > 0 && read.length > 0 && read.every((row) => asked.every((column) => judged(row, column.name).rank === ""));
}

/** What the review knows that this judgement hangs on, as the task told it; null where nobody did. */
export function known(row: Result, name: string): [string, string | null][] {
  const inputs = row.extractedData?.judgements?.inputs ?? {};
  const hangs = found(name)?.hangs ?? [];
  return hangs.filter((input) => input in inputs).map((input) => [input, inputs[input] ?? null]);
}

/** The tool that judges this row's kind of study in place of this column's, if it is another. */
export function otherTool(row: Result, name: string): string | null {
  const used = row.extractedData?.judgements?.toolUsed;
  const column = found(name);
  return used && column && used !== TOOLS[column.tool] ? used : null;
}

/** The columns, of `all`, that a judgement follows from: its questions, or other judgements of the same tool. */
export function grounds(name: string, all: TemplateField[]): TemplateField[] {
  const column = found(name);
  if (!column) return [];
  if (column.asks) return all.filter((field) => QUESTION[column.tool].test(field.name) && field.name.startsWith(column.asks));
  return all.filter((field) => found(field.name)?.tool === column.tool && found(field.name)?.asks);
}
