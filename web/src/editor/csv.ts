// A form as a CSV file: a row a field, its columns found by their heads in English or Chinese; what is wrong, by line. Pure.
import { type Draft, type Field, MOST, blank, chooses, keyOf } from "./draft";

export type Wrong = { line: number; why: string; what: string };
export type Read = { fields: Field[]; wrong: Wrong[] };

const HEADS: Record<string, string[]> = {
  label: ["name", "label", "field", "item", "名称", "字段", "标签", "项目"], labelZh: ["label_zh", "labelzh", "chinese", "中文", "中文名称"], key: ["key", "id", "键"],
  section: ["section", "group", "domain", "category", "章节", "分组", "部分"], question: ["question", "description", "prompt", "instruction", "help", "问题", "说明", "描述"],
  type: ["type", "format", "类型"], choices: ["choices", "options", "values", "选项", "取值"],
};
const TYPES: Record<string, string[]> = {
  string: ["text", "string", "free text", "textbox", "文本"], integer: ["integer", "int", "whole number", "整数"], number: ["number", "decimal", "float", "numeric", "数值", "数字"],
  boolean: ["boolean", "bool", "yes/no", "yes or no", "是否", "是/否"], enum: ["enum", "choice", "single choice", "select", "radio", "dropdown", "单选", "选择"],
  "[string]": ["list", "[string]", "multiple choice", "multi-select", "checkbox", "checkboxes", "多选", "列表"],
};
const known = (table: Record<string, string[]>, text: string) => Object.keys(table).find((name) => table[name]?.includes(text.trim().toLowerCase()));

/** Records with the line each began on. Quotes may hold separators, line ends and doubled quotes. */
export function records(text: string): { line: number; cells: string[] }[] {
  const plain = text.replace(/^\uFEFF/, "");
  const first = plain.split(/\r?\n/, 1)[0] ?? "";
  const mark = [",", ";", "\t"].sort((a, b) => first.split(b).length - first.split(a).length)[0];
  const found: { line: number; cells: string[] }[] = [];
  let [cells, cell, quoted, line, began]: [string[], string, boolean, number, number] = [[], "", false, 1, 1];
  const end = () => {
    cells.push(cell);
    if (cells.some((each) => each.trim())) found.push({ line: began, cells });
    [cells, cell] = [[], ""];
  };
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain[at] as string;
    if (sign === "\n") line += 1;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (plain[at + 1] === '"') (cell += '"'), (at += 1);
      else quoted = false;
    } else if (sign === '"' && !cell.trim()) (quoted = true), (cell = "");
    else if (sign === mark) cells.push(cell), (cell = "");
    else if (sign === "\n") end(), (began = line);
    else if (sign !== "\r") cell += sign;
  }
  if (quoted) found.push({ line: began, cells: [] });
  else end();
  return found;
}

const listed = (text: string) => text.split(/[;|\n；、]/).map((each) => each.trim()).filter(Boolean);

/** Fields to be added to a draft; those that are wrong are told and left out. */
export function read(text: string, draft: Draft): Read {
  const [head, ...rows] = records(text);
  const columns = (head?.cells ?? []).map((cell) => known(HEADS, cell));
  const wrong: Wrong[] = [];
  if (!columns.includes("label")) return { fields: [], wrong: [{ line: 1, why: "csvNoName", what: (head?.cells ?? []).join(", ").slice(0, 80) }] };
  const labels = new Set(draft.fields.map((each) => each.label.toLowerCase()));
  const keys = new Set(draft.fields.map((each) => each.name));
  const fields: Field[] = [];
  let section = "";
  for (const { line, cells } of rows) {
    const cell = (name: string) => (cells[columns.indexOf(name)] ?? "").trim();
    const tell = (why: string, what = "") => wrong.push({ line, why, what: what.slice(0, 80) });
    const [label, given, choices] = [cell("label"), cell("type"), listed(cell("choices"))];
    const type = given ? known(TYPES, given) : choices.length ? "enum" : "string";
    section = cell("section") || section;
    if (!cells.length) tell("csvQuote");
    else if (!label) tell("needsLabel");
    else if (label.length > MOST.label) tell("csvLong", label);
    else if (labels.has(label.toLowerCase())) tell("labelTwice", label);
    else if (!type) tell("csvType", given);
    else if (type === "enum" && choices.length < 2) tell("needsChoices", label);
    else if (new Set(choices.map((each) => each.toLowerCase())).size < choices.length) tell("choiceTwice", label);
    else if (choices.length > MOST.options || choices.some((each) => each.length > MOST.option)) tell("choicesMany", label);
    else {
      labels.add(label.toLowerCase());
      const name = keyOf(cell("key") || label, keys);
      keys.add(name);
      const description = cell("question").slice(0, MOST.description);
      fields.push({ ...blank(draft, section, label), name, labelZh: cell("labelZh").slice(0, MOST.label), description, type, options: chooses(type) ? choices : [] });
    }
  }
  if (draft.fields.length + fields.length > MOST.fields) wrong.push({ line: rows[MOST.fields - draft.fields.length]?.line ?? 0, why: "fieldsMany", what: "" });
  return { fields: fields.slice(0, Math.max(0, MOST.fields - draft.fields.length)), wrong };
}
