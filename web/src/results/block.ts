// A block of cells, from one corner to the other, as a table that other programs take. Text that a spreadsheet would run gets an
// apostrophe, as in an exported CSV.
import { type Result, type TemplateField } from "../shapes";
import { defused } from "../defused";
import { named, t } from "../words";
import { isJudgement, judged } from "./judgements";
import { shown, study } from "./values";

export type Corner = { row: number; column: number };
export type Block = { top: number; bottom: number; left: number; right: number };

export function block(from: Corner, to: Corner): Block {
  return { top: Math.min(from.row, to.row), bottom: Math.max(from.row, to.row), left: Math.min(from.column, to.column), right: Math.max(from.column, to.column) };
}

export const size = ({ top, bottom, left, right }: Block): number => (bottom - top + 1) * (right - left + 1);

/** The study's column is the first. */
function lines(rows: Result[], columns: TemplateField[], { top, bottom, left, right }: Block): string[][] {
  const places = Array.from({ length: right - left + 1 }, (_, at) => left + at);
  const head = places.map((place) => (place === 0 ? t("study") : named(columns[place - 1]!)));
  const told = (row: Result, field: TemplateField) => (isJudgement(field.name) ? judged(row, field.name).text : value(row, field));
  return [head, ...rows.slice(top, bottom + 1).map((row) => places.map((place) => (place === 0 ? study(row) : told(row, columns[place - 1]!))))];
}

function value(row: Result, field: TemplateField): string {
  const text = shown(row.extractedData?.fields?.[field.name]);
  return text === "–" ? "" : text;
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);

export function copied(rows: Result[], columns: TemplateField[], chosen: Block): { text: string; html: string } {
  const table = lines(rows, columns, chosen).map((line) => line.map((cell) => defused(cell.replace(/\s+/g, " ").trim())));
  const text = table.map((line) => line.join("\t")).join("\n");
  const html = `<table>${table.map((line) => `<tr>${line.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`).join("")}</table>`;
  return { text, html };
}
