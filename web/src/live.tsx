// What each paper is doing, in words, from what its row says and nothing else; and a notice of the browser when all are done.
import { useEffect, useState } from "preact/hooks";
import { RULES } from "./costs";
import { keep, kept } from "./kept";
import { fault } from "./results/values";
import { type Result, type Task, total } from "./shapes";
import { clock, many, seconds, t } from "./words";

const TICK_MS = 1_000;
const since = (at: string) => Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1_000) * 1_000);

/** A sentence of a row; those of rows at work go on by the second. */
export function Doing({ row, task }: { row: Result; task: Task }) {
  const [, tick] = useState(0);
  const isAtWork = row.status === "extracting";
  useEffect(() => {
    if (!isAtWork) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isAtWork]);
  const said = doing(row, task);
  return <span class={`quiet small doing ${row.status === "error" ? "why" : ""}`} title={row.status === "error" ? said : undefined}>{said}</span>;
}

function doing(row: Result, task: Task): string {
  switch (row.status) {
    case "completed": return done(row);
    case "error": return [fault(row), tries(row)].filter(Boolean).join(" · ");
    case "cancelled": return t("cancelledRow");
    case "pending": return waits(row, task);
    case "extracting":
      if (row.askingSince && task.engine !== RULES) return [t("asksFor", { engine: task.engine ?? "", time: seconds(since(row.askingSince)) }), tries(row)].filter(Boolean).join(" · ");
      // A claim changes its row: that is when this attempt began.
      return [t("begunFor", { time: seconds(since(row.updatedAt)) }), tries(row)].filter(Boolean).join(" · ");
  }
}

const tries = (row: Result) => (row.attempts > 1 ? t("attemptN", { n: row.attempts }) : "");

function done(row: Result): string {
  const counted = row.summary?.cells;
  const took = row.startedAt ? t("doneIn", { time: seconds(Date.parse(row.updatedAt) - Date.parse(row.startedAt)) }) : "";
  return [took, counted ? t("foundN", { n: counted.found }) : "", tries(row)].filter(Boolean).join(" · ");
}

function waits(row: Result, task: Task): string {
  const before = row.attempts ? many(row.attempts, "triedOnce", "triedN") : "";
  if (task.waiting) return [before, t("waitsUntil", { provider: task.waiting.provider, time: clock(task.waiting.until) })].filter(Boolean).join(" ");
  if (row.attempts && row.dueAt && Date.parse(row.dueAt) > Date.now()) return `${before} ${t("againAt", { time: clock(row.dueAt) })}`;
  return before ? `${before} ${t("waitsTurn")}` : t(task.paused ? "waitsPaused" : "waitsTurn");
}

const place = (task: string) => `sheaf.notice.${task}`;
const isAble = "Notification" in window;

/** Whether this browser is to say that a task is done: then the task is looked at behind other tabs too. */
export const isWanted = (task: string): boolean => isAble && Notification.permission === "granted" && kept(place(task)) !== null;

/** Say it, once, where somebody has asked for it. */
export function tell(task: Task): void {
  if (!isWanted(task.taskId)) return;
  keep(place(task.taskId), null);
  const said = [t("doneN", { n: task.completedCount }), task.errorCount ? t("errorsN", { n: task.errorCount }) : ""].filter(Boolean).join(" · ");
  try {
    new Notification(task.name || t("noticeTitle", { n: total(task) }), { body: said, tag: task.taskId, icon: "assets/icon.svg" }).onclick = () => window.focus();
  } catch {
    // Phones have notices of installed pages only.
  }
}

/** Asks the browser's leave only when it is pressed. */
export function NoticeButton({ task }: { task: string }) {
  const [isOn, set] = useState(isWanted(task));
  const [isRefused, refuse] = useState(false);
  if (!isAble) return null;
  const press = async () => {
    if (isOn) keep(place(task), null);
    else if ((await Notification.requestPermission()) !== "granted") return refuse(true);
    else keep(place(task), "1");
    set(!isOn);
  };
  return (
    <>
      <button type="button" class="plain" aria-pressed={isOn} onClick={() => void press()}>{t(isOn ? "noticeOn" : "noticeAsk")}</button>
      {isRefused && <span class="small quiet" role="status">{t("noticeRefused")}</span>}
    </>
  );
}
