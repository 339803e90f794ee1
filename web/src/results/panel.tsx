// What opens beside the table: its head, the way to the cells around, Escape; inside, evidence, a judgement or what failed.
import type { ComponentChildren } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Boundary } from "../boundary";
import { Waiting } from "../pieces";
import { Relabel } from "../relabel";
import type { Evidence, Result, TemplateField, TemplateInput } from "../shapes";
import { named, t } from "../words";
import type { Checking } from "./decide";
import { parts } from "./decided";
import { EvidenceShown } from "./evidence";
import { FailureShown } from "./failed";
import { JudgementShown } from "./judged";
import { isJudgement } from "./judgements";
import type { Picked } from "./picking";
import { Reasons } from "./reasons";
import { FIRST_ROW } from "./table";
import { source, study } from "./values";

const Decide = lazy(() => import("./decide"));

type Props = {
  project: string;
  /** Whose papers may be called otherwise. */
  base: string | null;
  may: boolean;
  checking: Checking;
  /** The template's, each of which is a cell of a paper. */
  fields: TemplateField[];
  row: Result;
  field: TemplateField;
  /** As the table shows them. */
  rows: Result[];
  columns: TemplateField[];
  inputs: TemplateInput[];
  turn: (row: Result, field: string) => void;
  close: () => void;
  retry: ComponentChildren;
};

/** Focus comes in when it opens, and goes to the cell that it was open for when it closes, wherever one has gone meanwhile. */
function useFocus(cell: string) {
  const panel = useRef<HTMLElement>(null);
  // Told while it is drawn: an effect comes after the next frame, and Escape may be quicker.
  const last = useRef(cell);
  last.current = cell;
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    panel.current?.focus();
    return () => {
      const back = document.querySelector<HTMLElement>(last.current) ?? before;
      if (back?.isConnected) back.focus();
    };
  }, []);
  return panel;
}

/** What belongs to one place and is forgotten at the next. */
function useAt<V>(place: string, usual: V): [V, (value: V) => void] {
  const [kept, set] = useState({ place, value: usual });
  return [kept.place === place ? kept.value : usual, (value) => set({ place, value })];
}

export function Panel({ project, base, may, checking, fields, row, field, rows, columns, inputs, turn, close, retry }: Props) {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const here = `${row.resultId} ${field.name}`;
  const listed = parts(row, field);
  const [entry, point] = useAt(here, Math.max(0, listed.findIndex((each) => each.entry && !each.isChecked)));
  const [picked, pick] = useAt<Picked | null>(`${here} ${entry}`, null);
  const [hit, setHit] = useAt<Evidence | null>(row.resultId, null);
  // What was chosen as a quote stays in view while its value is typed.
  const taken = useMemo((): Evidence | null => picked && { start: null, end: null, ...picked, match: null }, [picked]);
  const column = columns.findIndex((each) => each.name === field.name);
  const beside = (step: number) => {
    const next = columns[(column + step + columns.length) % columns.length];
    if (next) turn(row, next.name);
  };
  const at = rows.findIndex((each) => each.resultId === row.resultId);
  const panel = useFocus(`tr[aria-rowindex="${at + FIRST_ROW}"] > :is([data-field="${field.name}"], .told)`);
  const paper = (step: number) => {
    const next = at < 0 ? undefined : rows[at + step];
    return next && (() => turn(next, field.name));
  };
  // What was pressed to come here is gone with what it stood in.
  const into = (name: string) => {
    turn(row, name);
    panel.current?.focus();
  };
  const isRead = row.status === "completed";
  const isJudged = isJudgement(field.name);
  const title = isRead ? named(field) : t("error");
  const kind = isJudged ? "judgement" : "evidence";
  return (
    <aside class="evidence" ref={panel} tabIndex={-1} aria-label={isRead ? `${t(kind)}: ${title}` : title}>
      <div class="evidence-head">
        <div class="evidence-what">
          <div class="quiet small whose">{source(row)}{base && <Relabel key={row.resultId} project={project} base={base} document={row.documentId} name={source(row)} now={study(row)} />}</div>
          <h2>{title}</h2>
        </div>
        <div class="actions">
          <Step word={t("previousPaper")} sign="↑" act={paper(-1)} />
          <Step word={t("nextPaper")} sign="↓" act={paper(1)} />
          {isRead && <Step word={t("previousField")} sign="←" act={() => beside(-1)} />}
          {isRead && <Step word={t("nextField")} sign="→" act={() => beside(1)} />}
          <Step word={t("close")} sign="×" act={close} />
        </div>
      </div>
      {isRead && !isJudged && field.description && <p class="quiet small" lang="en">{field.description}</p>}
      <Reasons row={row} columns={columns} turn={into} />
      {row.isGlance ? (
        <Waiting rows={4} />
      ) : !isRead ? (
        <FailureShown key={row.resultId} project={project} row={row} retry={retry} />
      ) : isJudged ? (
        <JudgementShown row={row} field={field} columns={columns} inputs={inputs} turn={into} />
      ) : (
        <>
          <EvidenceShown key={row.resultId} project={project} row={row} field={field} at={entry} point={point} hit={hit ?? taken} pick={may ? pick : undefined} />
          <Boundary at={here}>
            <Suspense fallback={<div class="decide" />}>
              <Decide project={project} row={row} field={field} fields={fields} may={may} parts={listed} at={entry} point={point} picked={picked} pick={pick} setHit={setHit} go={turn} checking={checking} />
            </Suspense>
          </Boundary>
        </>
      )}
    </aside>
  );
}

function Step({ word, sign, act }: { word: string; sign: string; act: (() => void) | undefined }) {
  return <button type="button" class="icon" aria-label={word} title={word} disabled={!act} onClick={act}>{sign}</button>;
}
