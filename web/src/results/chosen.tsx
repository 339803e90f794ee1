// What stands beside a chosen block of cells, copy it and agree with what was found in it; and how far a column or a paper is checked.
import { useState } from "preact/hooks";
import type { Result, TemplateField } from "../shapes";
import { t } from "../words";
import { type Block, size } from "./block";
import { isDone } from "./decided";
import { isJudgement } from "./judgements";
import { state } from "./values";

/** How far a column, or a paper, is checked: nothing where nobody has begun. */
export function Done({ checked = 0, cells = 0 }: { checked?: number; cells?: number }) {
  if (!checked) return null;
  const told = t("checkedOf", { n: checked, all: cells });
  return <span class="done" title={told}><i style={{ width: `${(100 * checked) / cells}%` }} /><span class="unseen">{told}</span></span>;
}

export type Places = { row: Result; field: TemplateField }[];

/** What of a block can be agreed with at once: what code has found, and nobody has decided on. */
export function foundIn(rows: Result[], columns: TemplateField[], fields: TemplateField[], { top, bottom, left, right }: Block): Places {
  const chosen = columns.slice(Math.max(0, left - 1), right).filter((field) => !isJudgement(field.name));
  const isOpen = (row: Result, field: TemplateField) => state(row.extractedData?.fields?.[field.name]) === "found" && !isDone(row, field, fields);
  return rows.slice(top, bottom + 1).filter((row) => row.status === "completed").flatMap((row) => chosen.filter((field) => isOpen(row, field)).map((field) => ({ row, field })));
}

type ChosenProps = { chosen: Block; copy: () => { text: string; html: string }; found: Places; agree: ((places: Places) => void) | undefined };

export function Chosen({ chosen, copy, found, agree }: ChosenProps) {
  const [isCopied, setCopied] = useState(false);
  const act = async () => {
    const { text, html } = copy();
    const parts = { "text/plain": new Blob([text], { type: "text/plain" }), "text/html": new Blob([html], { type: "text/html" }) };
    await navigator.clipboard.write([new ClipboardItem(parts)]);
    setCopied(true);
  };
  return (
    <p class="chosen-bar small" role="status">
      {t("chosenCells", { n: size(chosen) })} <button type="button" class="plain" onClick={() => void act().catch(() => setCopied(false))}>{t(isCopied ? "copiedCells" : "copyCells")}</button>
      {found.length > 0 && <button type="button" class="plain" onClick={() => agree?.(found)}>{found.length === 1 ? t("agreeBlockOne") : t("agreeBlock", { n: found.length })}</button>}
    </p>
  );
}
