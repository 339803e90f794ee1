// Checking, as it stands over the table: how far it is, the way to the next cell, a block at once, the keys.
import { lazy, Suspense } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import { Boundary } from "../boundary";
import type { Task, TemplateField } from "../shapes";
import { t } from "../words";
import type { Places } from "./chosen";
import { decision } from "./decided";
import { decide, newId } from "./deciding";

const Help = lazy(() => import("./help"));
const Right = lazy(() => import("./right"));

/** Of the decisions in one request: they are one transaction. */
const MOST_AT_ONCE = 90;

/** As a block: counted apart, never as read. One request a paper; a comment stands on each. */
export function agreeAll(project: string, places: Places, comment?: string): void {
  for (const row of new Set(places.map((found) => found.row))) {
    const own = places.filter((found) => found.row === row);
    for (let start = 0; start < own.length; start += MOST_AT_ONCE) {
      const some = own.slice(start, start + MOST_AT_ONCE);
      decide(project, row.resultId, some.map(({ field }) => ({ id: newId(), address: field.name, verb: "agree", ...(comment ? { comment } : {}), before: decision(row, field.name)?.id ?? null })), "block");
    }
  }
}

/** What the keys do, by a button or by `?`; beside an open cell its own panel says it. */
export function Keys({ isOff }: { isOff: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === "?" && !isOff && !(event.target as Element).matches?.("input, select, textarea, dialog *")) setOpen(true);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [isOff]);
  return (
    <>
      <button type="button" class="plain keys wide-only" aria-label={t("keys")} title={t("keysHelp")} onClick={() => setOpen(true)}><kbd aria-hidden="true">?</kbd></button>
      {isOpen && <Boundary><Suspense fallback={null}><Help close={() => setOpen(false)} /></Suspense></Boundary>}
    </>
  );
}

type CheckProps = { checked: number; cells: number; may: boolean; start: () => void; project: string; task: Task; fields: TemplateField[] };

/** How far the table is checked, and the way to what is to be checked next. */
export function Check({ checked, cells: of, may, start, project, task, fields }: CheckProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="check">
      <span class="check-far small"><progress max={of} value={checked} aria-label={t("checkedOf", { n: checked, all: of })} />{t("checkedOf", { n: checked, all: of })}</span>
      <button type="button" class="plain" onClick={() => setOpen(true)}>{t("engineRight")}</button>
      {may && checked < of && <button type="button" class="first" onClick={start}>{t(checked ? "checkGoOn" : "check")}</button>}
      {isOpen && <Boundary><Suspense fallback={null}><Right project={project} task={task} fields={fields} close={() => setOpen(false)} /></Suspense></Boundary>}
    </div>
  );
}
