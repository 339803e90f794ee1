// The workbooks of a project, newest first; those on their way up stand above them.
import { type Place, go, href, isHere } from "../address";
import { Failure, Notice, Question, Waiting } from "../pieces";
import { limit } from "../queries";
import { useOutside } from "../outside";
import { Drop } from "../uploads";
import { bytes, instant, t, type Word } from "../words";
import { useEffect, useState } from "preact/hooks";
import { fresh, isUnderWay, remove, useSessions, useStatus } from "./calls";
import * as sending from "./sending";
import type { SessionView, StatusView } from "./shapes";
import { whyBad, coded, isWord, s } from "./words";

type Props = { place: Place & { project: string }; may: boolean };

export function List({ place, may }: Props) {
  const { project } = place;
  const found = useSessions(project);
  const items = useOutside(sending.all, sending.watch).filter((item) => item.project === project);
  const sessions = found.data ?? [];
  const known = new Set(sessions.map((each) => each.sessionId));
  const own = items.filter((item) => item.state !== "done" && !(item.session && known.has(item.session) && item.state === "sending"));
  // One alone is what somebody wants to see; of several the list tells how far each is.
  const take = (files: Iterable<File>) => {
    const all = [...files];
    sending.add(all, project, (session) => all.length === 1 && isHere(place) && go(href({ view: "sheet", project, task: session })));
  };
  const isEmpty = found.isSuccess && !sessions.length && !own.length;
  const hidden = new Set(own.map((item) => item.session));
  return (
    <>
      <Drop take={may ? take : null} text={may ? s("dropHere") : t("forbidden")} />
      <div class="heading"><h1>{t("sheets")}</h1>{may && !isEmpty && <Choose take={take} />}</div>
      {found.isPending && <Waiting />}
      {found.isError && !found.data && <Failure error={found.error} again={() => void found.refetch()} />}
      {isEmpty && <Notice title={s("none")} action={may && <Choose take={take} />}>{s("noneWhy")}</Notice>}
      {may && found.data && <p class="quiet small sheets-hint">{s("accepts", { size: limit("bytesPerSheet") < Infinity ? s("upTo", { size: bytes(limit("bytesPerSheet")) }) : "" })} {limit("minutesToKeepSheets") < Infinity && s("keptFor", { n: Math.round(limit("minutesToKeepSheets") / 144) / 10 })}</p>}
      {(own.length > 0 || sessions.length > 0) && (
        <ul class="papers boxed sheets">
          {own.map((item) => <Sending key={`i${item.id}`} item={item} />)}
          {sessions.filter((each) => !hidden.has(each.sessionId)).map((each) => <Entry key={each.sessionId} project={project} session={each} may={may} item={items.find((item) => item.session === each.sessionId)} />)}
        </ul>
      )}
    </>
  );
}

function Choose({ take }: { take: (files: Iterable<File>) => void }) {
  return (
    <label class="button first">
      {s("choose")}
      <input
        type="file"
        class="unseen"
        multiple
        accept=".xlsx,.xls,.ods,.csv"
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}

/** What no second try mends. */
const FINAL = new Set(["wrongKind", "tooLarge", "emptyFile"]);
const PAGE_WORDS = new Set(["lostConnection", "refusedUpload", "notReadable", "notSecure"]);

export const why = (item: sending.Item): string =>
  PAGE_WORDS.has(item.why) ? t("uploadFailed", { reason: t(item.why as Word) }) : isWord(item.why) ? s(item.why, { size: bytes(limit("bytesPerSheet")) }) : item.why;

export function far(item: sending.Item): string {
  if (item.state === "sending") return s("sendingN", { n: Math.floor(item.sent * 100) });
  return s(item.state === "hashing" ? "hashing" : "waitingHere");
}

function Sending({ item }: { item: sending.Item }) {
  const isFailed = item.state === "failed";
  return (
    <li>
      <span class="paper">
        <strong title={item.file.name}>{item.file.name}</strong>
        <span class="quiet small">{bytes(item.file.size)}</span>
        {isFailed ? <span class="why small" role="alert">{why(item)}</span> : <progress max={1} value={item.sent} aria-label={item.file.name} />}
      </span>
      <span class={`badge ${isFailed ? "error" : "uploading"}`}>{isFailed ? s("failedUpload") : far(item)}</span>
      {isFailed && (
        <span class="paper-actions">
          {!FINAL.has(item.why) && <button type="button" class="plain" onClick={() => void sending.again(item)}>{s("tryAgain")}</button>}
          <button type="button" class="plain careful" aria-label={`${s("forgetItem")}: ${item.file.name}`} onClick={() => sending.forget(item)}>{s("forgetItem")}</button>
        </span>
      )}
    </li>
  );
}

/** Where it stands, in a word. */
export const standing = (status: StatusView | undefined, session: SessionView): string => {
  const now = status?.status ?? session.status;
  if (now !== "processing") return s(now);
  return coded("step", status?.step ?? "") ?? s("working");
};

type EntryProps = { project: string; session: SessionView; may: boolean; item: sending.Item | undefined };

function Entry({ project, session, may, item }: EntryProps) {
  const isAsked = session.status !== "ready";
  const status = useStatus(project, session.sessionId, isAsked).data;
  const isOver = isAsked && status !== undefined && !isUnderWay(status);
  useEffect(() => {
    if (isOver && status.status !== session.status) void fresh(project, session.sessionId);
  }, [isOver]);
  const now = status?.status ?? session.status;
  const isSending = item?.state === "sending";
  return (
    <li>
      <span class="paper">
        <a href={href({ view: "sheet", project, task: session.sessionId })}><strong title={session.filename}>{session.filename}</strong></a>
        <span class="quiet small">{[bytes(session.size), instant(session.createdAt), session.version > 1 ? s("version", { n: session.version }) : "", s("until", { time: instant(session.expiresAt) })].filter(Boolean).join(" · ")}</span>
        {now === "error" && <span class="why small">{status?.errorMessage ? whyBad(status.errorMessage) : s("errorTitle")}</span>}
        {isSending && <progress max={1} value={item.sent} aria-label={session.filename} />}
      </span>
      <span class={`badge ${now}`} role="status">{isSending ? far(item) : standing(status, session)}</span>
      {may && <span class="paper-actions"><Remove project={project} session={session} /></span>}
    </li>
  );
}

export function Remove({ project, session, done }: { project: string; session: SessionView; done?: () => void }) {
  const [asking, setAsking] = useState(false);
  const act = async () => {
    await remove(project, session.sessionId);
    done?.();
    await fresh(project);
  };
  return (
    <>
      <button type="button" class="plain careful" aria-label={`${s("remove")}: ${session.filename}`} onClick={() => setAsking(true)}>{s("remove")}</button>
      {asking && <Question title={s("remove")} text={s("removeAsk", { name: session.filename })} yes={s("yesRemove")} no={s("keep")} act={act} close={() => setAsking(false)} />}
    </>
  );
}
