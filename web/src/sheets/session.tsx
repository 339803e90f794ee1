// One workbook: how far it is, why it could not be read, or its tables, where they can be edited.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Place, cover, go, href, turn, uncover } from "../address";
import { Failure, Notice, Question, Waiting } from "../pieces";
import { useOutside } from "../outside";
import { Drop } from "../uploads";
import { instant, useLanguage } from "../words";
import { Blocks } from "./blocks";
import { fresh, isUnderWay, preview, useSession, useStatus } from "./calls";
import { ColumnPanel } from "./column";
import { Download } from "./download";
import { type At, Grid } from "./grid";
import { Leave } from "./leave";
import { Remove, far, why } from "./list";
import { Notes } from "./notes";
import { restored } from "./pending";
import { SaveBar } from "./save";
import { useChanges } from "./saving";
import * as sending from "./sending";
import { type SheetView, type StatusView, type Step, type Value, type Whole, shown, typed, valueIn } from "./shapes";
import { whyBad, coded, s } from "./words";

type Here = Place & { project: string; task: string };
type Props = { place: Here; may: boolean };

export function Session({ place, may }: Props) {
  const { project, task: id } = place;
  const found = useSession(project, id);
  const status = useStatus(project, id, true).data;
  const whole = found.data;
  useEffect(() => {
    if (whole) document.title = `${whole.filename} · Sheaf`;
  }, [whole?.filename]);
  const isDone = status !== undefined && whole !== undefined && (status.status !== whole.status || status.version > whole.version) && !isUnderWay(status);
  useEffect(() => {
    if (isDone) void fresh(project, id);
  }, [isDone]);
  if (found.isPending) return <Waiting />;
  if (!whole) return <Failure whole error={found.error} again={() => void found.refetch()} />;
  const isReady = whole.status === "ready" && whole.sheets !== null;
  return (
    <div class="sheet-view">
      <Drop take={null} text={s("dropNot")} />
      {isReady ? <Opened place={place} may={may} whole={whole} status={status} /> : <Unread place={place} may={may} whole={whole} status={status} />}
    </div>
  );
}

type PartProps = Props & { whole: Whole; status: StatusView | undefined };

function about(whole: Whole): string {
  return [instant(whole.createdAt), whole.version > 1 ? s("version", { n: whole.version }) : "", s("until", { time: instant(whole.expiresAt) })].filter(Boolean).join(" · ");
}

const STEPS: Step[] = ["uploading", "waiting", "reading", "cleaning", "saving"];

function Unread({ place, may, whole, status }: PartProps) {
  const { project } = place;
  const list = href({ view: "sheets", project });
  const item = useOutside(sending.all, sending.watch).find((each) => each.session === whole.sessionId);
  const isWrong = (status?.status ?? whole.status) === "error" || item?.state === "failed";
  const step = status?.step ?? null;
  const isSending = item?.state === "sending";
  const now = isSending ? 0 : STEPS.indexOf(step ?? "waiting");
  const text = isSending ? far(item) : item?.state === "done" && step === "uploading" ? s("say_waiting") : (coded("say", step ?? "") ?? s("working"));
  return (
    <>
      <div class="heading">
        <div><h1>{whole.filename}</h1><p class="quiet small">{about(whole)}</p></div>
        <div class="actions">
          <a class="button" href={list}>{s("all")}</a>
          {isWrong && item?.state !== "failed" && <Download project={project} id={whole.sessionId} filename={whole.filename} sheet={null} isChanged={false} />}
          {may && <Remove project={project} session={whole} done={() => go(list)} />}
        </div>
      </div>
      {isWrong ? (
        <Notice kind="wrong" title={item?.state === "failed" ? s("unsent") : s("errorTitle")} action={item?.state === "failed" && <button type="button" onClick={() => (void sending.again(item), go(list))}>{s("tryAgain")}</button>}>
          {item?.state === "failed" ? why(item) : <>{status?.errorMessage ? whyBad(status.errorMessage) : s("errorUnknown")}<br />{s("errorDo")}</>}
        </Notice>
      ) : (
        <section class="panel progress">
          <ol class="steps sheet-steps">
            {STEPS.map((each, at) => <li key={each} aria-current={at === now ? "step" : undefined} class={at < now ? "past" : ""}><span>{at + 1}</span>{coded("step", each)}</li>)}
          </ol>
          <div class="progress-line"><progress max={1} value={isSending ? item.sent : undefined} aria-label={coded("step", STEPS[now] ?? "") ?? s("working")} /></div>
          <p class="progress-said" role="status">{text}</p>
        </section>
      )}
    </>
  );
}

function Opened({ place, may, whole, status }: PartProps) {
  const sheets = whole.sheets ?? [];
  const first = Math.max(0, sheets.findIndex((each) => !each.problem));
  const asked = Number(place.query["sheet"] ?? first);
  const at = sheets[asked] ? asked : first;
  const sheet = sheets[at];
  if (!sheet) {
    return (
      <>
        <Top place={place} may={may} whole={whole} sheet={null} isChanged={false} />
        <Notice title={s("noSheets")}>{s("noSheetsWhy")}</Notice>
      </>
    );
  }
  return <Table key={at} place={place} may={may} whole={whole} status={status} at={at} sheet={sheet} sheets={sheets} />;
}

type TopProps = Props & { whole: Whole; sheet: { at: number; name: string } | null; isChanged: boolean };

function Top({ place, may, whole, sheet, isChanged }: TopProps) {
  const { project } = place;
  const list = href({ view: "sheets", project });
  return (
    <div class="heading">
      <div class="sheet-what"><h1>{whole.filename}</h1><p class="quiet small">{about(whole)}</p></div>
      <div class="actions">
        <a class="button" href={list}>{s("all")}</a>
        <Download project={project} id={whole.sessionId} filename={whole.filename} sheet={sheet} isChanged={isChanged} />
        {may && <Remove project={project} session={whole} done={() => go(list)} />}
      </div>
    </div>
  );
}

type TableProps = PartProps & { at: number; sheet: SheetView; sheets: SheetView[] };

function Table({ place, may, whole, status, at: place_, sheet, sheets }: TableProps) {
  const { project, task: id } = place;
  useLanguage();
  const changes = useChanges(project, whole, place_, status);
  const { made, isChanged } = changes;
  const { rowAt, came, want, error, again } = useRows(project, whole, place_, sheet.rows);
  const [put, setCell] = useState<At>({ row: 0, column: 0 });
  // Rows may be gone since.
  const cell = { row: Math.min(put.row, sheet.rows - 1), column: put.column };
  const [asked, ask] = useState(0);
  const [wanted, setWanted] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const opened = place.query["column"] === undefined ? null : Number(place.query["column"]);
  const column = opened === null ? undefined : sheet.columns[opened];
  const open = (index: number) => (column ? turn(place, { column: String(index) }) : cover(place, { column: String(index) }));
  const close = () => {
    uncover(place, { column: "" });
    box.current?.querySelector<HTMLElement>("[data-at][tabindex='0']")?.focus();
  };
  const isGone = made.removed.has(cell.row);
  const canEdit = may && changes.isFree;
  const current = cell.row >= 0 && cell.column >= 0 ? sheet.columns[cell.column] : undefined;
  const change = current && made.cells.get(cell.row)?.get(cell.column);
  const before = change ? change.before : valueIn(rowAt(cell.row), cell.column);
  const value = change ? change.value : before;
  const commit = (row: number, index: number, was: Value, text: string) => {
    const of = sheet.columns[index];
    if (of) changes.change({ row, column: index, before: was, value: typed(text, of, was) });
  };
  const empty = () => {
    if (canEdit && !isGone && value !== undefined && value !== null) changes.change({ row: cell.row, column: cell.column, before: value, value: null });
  };
  const removeRow = () => {
    if (!canEdit || cell.row < 0) return;
    if (isGone) changes.write(restored(changes.pending, cell.row));
    else changes.change({ row: cell.row, removed: true });
  };
  const goSheet = (next: number) => turn(place, { sheet: String(next), column: "" });
  return (
    <>
      {isChanged && <Leave here={href({ view: "sheet", project, task: id })} />}
      <Top place={place} may={may} whole={whole} sheet={{ at: place_, name: sheets.length > 1 ? sheet.name : "" }} isChanged={isChanged} />
      <div class="toolbar sheet-bar-top">
        {sheets.length > 1 && (
          <label>
            <span class="unseen">{s("sheet")}</span>
            <select value={place_} onChange={(event) => {
              const next = Number(event.currentTarget.value);
              event.currentTarget.value = String(place_);
              if (isChanged) setWanted(next);
              else goSheet(next);
            }}>
              {sheets.map((each, at) => <option key={at} value={at}>{s("sheetOf", { name: each.name, rows: each.rows, columns: each.columns.length })}</option>)}
            </select>
          </label>
        )}
        <span class="quiet small">{sheets.length > 1 ? "" : `${sheet.name} · `}{s("size", { rows: sheet.rows, columns: sheet.columns.length })}</span>
        {!may && <span class="quiet small">{s("viewer")}</span>}
      </div>
      <Notes sheet={sheet} open={open} />
      <SaveBar changes={changes} status={status} columns={sheet.columns} />
      {error !== null && <Failure error={error} again={again} />}
      {sheet.problem ? <p class="aside">{s("problemSheet")}. {whyBad(sheet.problem)}</p> : sheet.rows === 0 && <p class="aside">{s("noRows")}. {s("noRowsWhy")}</p>}
      <div class="sheet-cellbar" role="group" aria-label={s("cellActions")}>
        <span class="sheet-value">{current ? <><strong>{s("editing", { column: current.name, n: cell.row + 1 })}</strong> <span>{shown(value) || <i class="quiet">{s("missing")}</i>}</span></> : cell.row >= 0 ? <strong>{s("rowN", { n: cell.row + 1 })}</strong> : null}</span>
        {may && (
          <span class="actions">
            <button type="button" class="plain" disabled={!canEdit || !current || isGone || value === undefined} onClick={() => ask((n) => n + 1)}>{s("edit")}</button>
            <button type="button" class="plain" disabled={!canEdit || !current || isGone || value === undefined || value === null} onClick={empty}>{s("empty")}</button>
            <button type="button" class="plain careful" disabled={!canEdit || cell.row < 0 || !sheet.rows} onClick={removeRow}>{s(isGone ? "keepRow" : "removeRow", { n: Math.max(cell.row, 0) + 1 })}</button>
          </span>
        )}
      </div>
      <div class="sheet-parts" ref={box}>
        <Grid name={sheet.name} columns={sheet.columns} total={sheet.rows} rowAt={rowAt} came={came} want={want} marks={made} canEdit={canEdit} at={cell} setAt={setCell} asked={asked} commit={commit} empty={empty} removeRow={removeRow} undo={changes.undo} open={open} opened={column ? opened : null} />
        {column && <ColumnPanel column={column} total={sheet.rows} count={sheet.columns.length} go={open} close={close} />}
      </div>
      <p class="quiet small hint sheet-help">{s(may ? "help" : "helpViewer")}</p>
      {wanted !== null && <Question title={s("leaveTitle")} text={s("sheetText")} yes={s("yesDiscard")} no={s("stay")} act={() => Promise.resolve((changes.discard(), goSheet(wanted)))} close={() => setWanted(null)} />}
    </>
  );
}

/** The rows of the version that is shown, as they come. */
function useRows(project: string, whole: Whole, sheet: number, total: number) {
  const [came, tell] = useState(0);
  const id = whole.sessionId;
  const told = useCallback(() => tell((n) => n + 1), []);
  const blocks = useMemo(
    () => new Blocks(whole.version, total, (offset, signal) => preview(project, id, sheet, offset, signal), told, () => void fresh(project, id)),
    [project, id, sheet, whole.version, total],
  );
  useEffect(() => () => blocks.close(), [blocks]);
  const want = useCallback((from: number, to: number) => blocks.want(from, to), [blocks]);
  return { rowAt: (index: number) => blocks.row(index), came, want, error: blocks.error, again: () => blocks.again() };
}
