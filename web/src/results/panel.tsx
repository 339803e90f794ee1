// What opens beside the table: its head, the way to the columns beside, Escape; inside, evidence or a judgement.
import { useEffect, useRef } from "preact/hooks";
import type { Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { EvidenceShown } from "./evidence";
import { JudgementShown } from "./judged";
import { isJudgement } from "./judgements";
import { Reasons } from "./reasons";
import { study } from "./values";

type Props = {
  project: string;
  row: Result;
  field: TemplateField;
  columns: TemplateField[];
  turn: (field: string) => void;
  close: () => void;
};

export function Panel({ project, row, field, columns, turn, close }: Props) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const back = document.activeElement as HTMLElement | null;
    panel.current?.focus();
    return () => back?.isConnected && back.focus();
  }, []);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const place = columns.findIndex((each) => each.name === field.name);
  const beside = (step: number) => {
    const next = columns[(place + step + columns.length) % columns.length];
    if (next) turn(next.name);
  };
  const isJudged = isJudgement(field.name);
  // What was pressed to come here is gone with what it stood in.
  const into = (name: string) => {
    turn(name);
    panel.current?.focus();
  };
  return (
    <aside class="evidence" ref={panel} tabIndex={-1} aria-label={`${t(isJudged ? "judgement" : "evidence")}: ${named(field)}`}>
      <div class="evidence-head">
        <div>
          <p class="quiet small">{study(row)}</p>
          <h2>{named(field)}</h2>
        </div>
        <div class="actions">
          <button type="button" class="icon" aria-label={t("previousField")} title={t("previousField")} onClick={() => beside(-1)}>‹</button>
          <button type="button" class="icon" aria-label={t("nextField")} title={t("nextField")} onClick={() => beside(1)}>›</button>
          <button type="button" class="icon" aria-label={t("close")} title={t("close")} onClick={close}>×</button>
        </div>
      </div>
      <Reasons row={row} columns={columns} turn={into} />
      {isJudged ? <JudgementShown row={row} field={field} columns={columns} turn={into} /> : <EvidenceShown project={project} row={row} field={field} />}
    </aside>
  );
}
