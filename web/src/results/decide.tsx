// Deciding on the cell that is open: by key, by mouse, by thumb. Loaded when the first cell is opened.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Evidence, Result, TemplateField } from "../shapes";
import { named, t, type Word } from "../words";
import { type Part, type Verb, decision, holding, isList, isReplaced } from "./decided";
import { type Wanted, decide, newId } from "./deciding";
import { CorrectForm, NoteForm } from "./decide_form";
import Help from "./help";
import { History } from "./history";
import type { Picked } from "./picking";
import { ORDERS, type Place, type QueueOrder } from "./queue";
import { Search } from "./search";
import { Standing } from "./standing";
import { state, study } from "./values";

/** What to check next, and how far that has come. */
export type Checking = {
  /** Null where one only looks around. */
  order: QueueOrder | null;
  setOrder: (order: QueueOrder) => void;
  next: (step: -1 | 1) => Place | undefined;
  paper: [number, number];
  all: [number, number];
};
type Props = {
  project: string;
  row: Result;
  field: TemplateField;
  fields: TemplateField[];
  may: boolean;
  parts: Part[];
  at: number;
  point: (at: number) => void;
  picked: Picked | null;
  pick: (picked: Picked | null) => void;
  setHit: (hit: Evidence | null) => void;
  go: (row: Result, field: string) => void;
  checking: Checking;
};
type Mode = "" | "correct" | "add" | "comment" | "search" | "keys";

/** So soon after the next cell has come, a second press was meant for the one before. */
const TWICE_MS = 250;
const NOTHING = new Set(["not_found", "not_attempted", "contradictory"]);

export default function Decide(props: Props) {
  const { project, row, field, may, parts, at, point, picked, pick, checking, go } = props;
  const part = parts[at];
  const address = part?.address ?? field.name;
  const place = `${row.resultId} ${address}`;
  const [mode, setMode] = useState<Mode>("");
  const [told, tell] = useState("");
  const sheet = useRef<HTMLDivElement>(null);
  const arrived = useRef(0);
  useEffect(() => setMode((before) => (before === "search" ? before : "")), [place]);
  useEffect(() => {
    if (picked && may) setMode((before) => (before === "add" || before === "correct" ? before : parts.length || !isList(field) ? "correct" : "add"));
  }, [picked]);
  const isEntry = part !== undefined;
  const isOther = isReplaced(row, address);
  const canAgree = !isOther && (part ? part.entry !== null : !isList(field) && !NOTHING.has(state(row.extractedData?.fields?.[field.name])));
  const make = (verb: Verb, where: string, more: Partial<Wanted> = {}): Wanted => ({ id: newId(), address: where, verb, ...more, before: decision(row, where)?.id ?? null });
  const close = () => {
    setMode("");
    pick(null);
    // What was pressed is gone with what it stood in.
    if (sheet.current?.contains(document.activeElement)) sheet.current.closest<HTMLElement>(".evidence")?.focus();
  };
  const move = (step: -1 | 1) => {
    const next = checking.next(step);
    if (next) go(next.row, next.field.name);
    tell(next ? t("nowAt", { field: named(next.field), study: study(next.row) }) : t("allChecked"));
  };
  const save = (wanted: Wanted[], what: Word, stays = false) => {
    decide(project, row.resultId, wanted);
    close();
    tell(t("checkedNow", { field: named(field), what: t(what) }));
    if (stays) return;
    const rest = parts.findIndex((each) => each.entry && !each.isChecked && each.address !== address);
    if (rest >= 0) point(rest);
    else if (checking.order) move(1);
    arrived.current = Date.now();
  };
  const isTwice = () => Date.now() - arrived.current < TWICE_MS;
  const verbs: Record<"agree" | "correct" | "absent" | "comment" | "undo", () => void> = {
    agree: () => void (isTwice() || (canAgree ? save(holding(row, address)?.verb === "agree" ? [] : [make("agree", address)], "agreed") : tell(t(isOther ? "agreeDecided" : "agreeNot")))),
    correct: () => setMode(isList(field) && !isEntry ? "add" : "correct"),
    absent: () => void (isTwice() || (part && !part.entry ? verbs.undo() : save([make("absent", address)], "saidAbsent"))),
    comment: () => setMode("comment"),
    undo: () => {
      const back = taken(row, field, address);
      if (back.length) save(back.map((where) => make("undo", where)), "tookBack", true);
    },
  };
  const keys: Record<string, () => void> = {
    ...(may && { a: verbs.agree, e: verbs.correct, n: verbs.absent, c: verbs.comment, u: verbs.undo }),
    j: () => move(1), k: () => move(-1), "/": () => setMode("search"), "?": () => setMode("keys"),
    ...(isEntry && { "[": () => point(Math.max(0, at - 1)), "]": () => point(Math.min(parts.length - 1, at + 1)) }),
  };
  useKeys(keys);
  const isWriting = mode === "correct" || mode === "add" || mode === "comment";
  return (
    <div class="decide" ref={sheet}>
      <p class="unseen" role="status">{told}</p>
      <Standing project={project} rows={[row]} fields={props.fields} isOpen />
      {mode === "search" && <Search project={project} row={row} found={props.setHit} close={close} />}
      {(mode === "correct" || mode === "add") && <CorrectForm key={`${place} ${mode}`} row={row} field={field} part={mode === "add" ? undefined : part} isNew={mode === "add"} picked={picked} pick={pick} make={make} save={(wanted) => save(wanted, "corrected", mode === "add")} close={close} />}
      {mode === "comment" && <NoteForm key={place} before={decision(row, address)?.comment ?? ""} save={(comment) => save([make("comment", address, { comment })], "noted", true)} close={close} />}
      {!isWriting && decision(row, address)?.comment && <p class="note small"><b>{t("note")}</b> {decision(row, address)?.comment}</p>}
      {may && !isWriting && (
        <div class="verbs" role="group" aria-label={t("decide")}>
          <Press word="agree" sign="✓" hotkey="A" act={verbs.agree} kind="first" isOff={!canAgree} />
          <Press word="correct" sign="✎" hotkey="E" act={verbs.correct} />
          <Press word={isEntry ? "absentEntry" : "absent"} sign="∅" hotkey="N" act={verbs.absent} />
          <Press word="note" sign="❝" hotkey="C" act={verbs.comment} />
          <Press word="undoIt" sign="↶" hotkey="U" act={verbs.undo} isOff={!taken(row, field, address).length} />
        </div>
      )}
      <Foot checking={checking} move={move} search={() => setMode("search")} help={() => setMode("keys")}>
        {may && isList(field) && isEntry && !isWriting && <button type="button" class="plain" onClick={() => setMode("add")}>{t("addEntry")}</button>}
        <History project={project} row={row} field={field} />
      </Foot>
      {mode === "keys" && <Help close={() => setMode("")} />}
    </div>
  );
}

/** What an undo takes back: all that is in force on this entry; where nothing is, what is in force on the field. */
function taken(row: Result, field: TemplateField, address: string): string[] {
  const own = Object.keys(row.review?.cells ?? {}).filter((name) => (name === address || name.startsWith(`${address}/`)) && (holding(row, name) || decision(row, name)?.verb === "comment"));
  return own.length || address === field.name ? own.filter((name) => address !== field.name || name === address) : holding(row, field.name) ? [field.name] : [];
}

/** Without Ctrl and the like; not while somebody types, nor behind a question. */
function useKeys(keys: Record<string, () => void>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : ""];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if ((event.target as Element).matches?.("input, select, textarea, dialog *")) return;
      event.preventDefault();
      if (!event.repeat) act();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

type PressProps = { word: Word; sign: string; hotkey: string; act: () => void; kind?: string; isOff?: boolean };

/** One that cannot be used now keeps the focus: it says why when it is pressed. */
function Press({ word, sign, hotkey, act, kind = "", isOff = false }: PressProps) {
  return (
    <button type="button" class={kind} aria-disabled={isOff} aria-keyshortcuts={hotkey} onClick={act}>
      <i aria-hidden="true">{sign}</i>
      <span>{t(word)}</span>
      <kbd aria-hidden="true">{hotkey}</kbd>
    </button>
  );
}

type FootProps = { checking: Checking; move: (step: -1 | 1) => void; search: () => void; help: () => void; children: ComponentChildren };

function Foot({ checking, move, search, help, children }: FootProps) {
  const [[paper, ofPaper], [all, ofAll]] = [checking.paper, checking.all];
  return (
    <div class="decide-foot small">
      <span class="steps-to">
        <button type="button" class="plain" title={t("previousToCheck")} aria-keyshortcuts="K" onClick={() => move(-1)}><span class="unseen">{t("previousToCheck")}</span><i aria-hidden="true">←</i> <kbd aria-hidden="true">K</kbd></button>
        <button type="button" class="plain" aria-keyshortcuts="J" onClick={() => move(1)}>{t("nextToCheck")} <kbd aria-hidden="true">J</kbd></button>
      </span>
      <span class="far">
        <progress max={Math.max(1, ofAll)} value={all} aria-label={t("checkedOf", { n: all, all: ofAll })} />
        {t("onPaper", { n: paper, all: ofPaper })} <span class="quiet">· {t("inAll", { n: all, all: ofAll })}</span>
      </span>
      {checking.order && (
        <select aria-label={t("orderOfCheck")} value={checking.order} onChange={(event) => checking.setOrder(event.currentTarget.value as QueueOrder)}>
          {ORDERS.map((each) => <option key={each} value={each}>{t(`order_${each}`)}</option>)}
        </select>
      )}
      <div class="tools">
        {children}
        <button type="button" class="plain" aria-keyshortcuts="/" title={t("searchPaper")} onClick={search}>{t("search")} <kbd aria-hidden="true">/</kbd></button>
        <button type="button" class="plain" aria-keyshortcuts="?" aria-label={t("keys")} title={t("keysHelp")} onClick={help}><kbd aria-hidden="true">?</kbd></button>
      </div>
    </div>
  );
}
