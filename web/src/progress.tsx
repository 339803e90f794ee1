// Step 2: how far it is, what it waits for, the rows that are done, and the three things that one can do.
import { useState } from "preact/hooks";
import { href } from "./address";
import { body } from "./api";
import { RaiseBudget } from "./budget";
import { spent } from "./costs";
import { Fit } from "./fit";
import { SetLimit } from "./limit";
import { Doing, NoticeButton } from "./live";
import { Act, Badge, Question, Steps } from "./pieces";
import { SHOWN_ROWS, TASKS, client, labelled, remembered, useBases, useLabels, useRunningRows, useTemplates } from "./queries";
import { RenameTask } from "./relabel";
import { type Result, type Task, total } from "./shapes";
import { study } from "./results/values";
import { about } from "./tasks";
import { clock, dollars, duration, many, named, number, t, told, type Word } from "./words";

type Props = { project: string; task: Task; may: boolean };

/** Never behind the rows beneath: a count is some seconds old, and rows that have ended stay so. */
function atLeast(task: Task, rows: Result[]): Task {
  const all = total(task);
  if (!all) return task;
  const seen = (status: Result["status"]) => rows.filter((row) => row.status === status).length;
  const completedCount = Math.max(task.completedCount, seen("completed"));
  const errorCount = Math.max(task.errorCount, seen("error"));
  const cancelledCount = Math.max(task.cancelledCount, seen("cancelled"));
  const open = Math.max(0, all - completedCount - errorCount - cancelledCount);
  const extractingCount = Math.min(task.extractingCount, open);
  const percent = Math.max(task.percent ?? 0, Math.min(99, Math.floor(((all - open) * 100) / all)));
  return { ...task, completedCount, errorCount, cancelledCount, extractingCount, pendingCount: open - extractingCount, percent };
}

export function Progress({ project, task: counted, may }: Props) {
  const rows = useRunningRows(project, counted);
  const task = atLeast(counted, rows.data?.rows ?? []);
  const bases = useBases(project);
  const { labels, titles } = useLabels(project, task, rows.data !== undefined);
  const template = useTemplates(project).data?.templates.find((each) => each.templateId === task.templateId);
  const isKnown = task.totalCount != null;
  return (
    <>
      <Steps now={2} />
      <div class="heading">
        <div>
          <h1>{isKnown ? t(task.templateId ? "progressOf" : "rowsOf", { n: finished(task), all: total(task) }) : t("gatheringNow")}</h1>
          <div class="quiet small whose">{[task.name, template && named(template), about(task, bases.data)].filter(Boolean).join(" · ")}{may && <RenameTask project={project} task={task} />}</div>
        </div>
        <div class="actions">
          <NoticeButton task={task.taskId} />
          {may && <Steering project={project} task={task} />}
        </div>
      </div>
      <section class="panel progress">
        <div class="progress-line">
          <progress max={100} value={task.percent ?? undefined} aria-label={t("step2")} />
          {isKnown && <strong>{task.percent} %</strong>}
        </div>
        <Counts task={task} />
        <p class="progress-said" role="status">{standing(task)}{isOld(task) && <span class="small"> {t("countedAgo", { time: duration(Date.now() - Date.parse(task.asOf)) })}</span>}</p>
        {may && waits(task) && <Try project={project} task={task} />}
        {spent(task) && <p class="progress-cost">{spent(task)}</p>}
        {may && task.budgetReached && !task.cancelRequested && <RaiseBudget project={project} task={task} />}
        {may && !task.cancelRequested && <SetLimit key={task.mostAtWork} project={project} task={task} />}
      </section>
      <div class="heading second">
        <h2>{t(task.templateId ? "papers" : "rows")}</h2>
        <a class={task.completedCount ? "button first" : ""} href={href({ view: "results", project, task: task.taskId })}>{task.completedCount ? many(task.completedCount, "readyOne", "readyN") : t("seeTable")}</a>
      </div>
      <Fit rows={rows.data?.rows ?? []} />
      <RowList rows={labelled(rows.data?.rows ?? [], labels)} titles={titles} task={task} names={remembered(project, task.taskId)} />
      {total(task) > SHOWN_ROWS && <p class="rows-more quiet small">{t("firstRows", { n: SHOWN_ROWS, all: total(task) })}</p>}
    </>
  );
}

const WAITS: Record<NonNullable<Task["waiting"]>["reason"], Word> = {
  account: "waitAccount", throttled: "waitThrottled", unavailable: "waitUnavailable",
};

const OLD_MS = 20_000;
const isOld = (task: Task): boolean => Date.now() - Date.parse(task.asOf) > OLD_MS;

function finished(task: Task): number {
  return task.completedCount + task.errorCount + task.cancelledCount;
}

function standing(task: Task): string {
  if (task.cancelRequested) return t("cancelling");
  if (task.paused) return t("pausedNow");
  if (task.budgetReached) return t("budgetSpent", { budget: dollars(task.budgetUsd ?? 0) });
  const held = waits(task);
  if (held) return waiting(held);
  const still = task.notMoving;
  if (still?.reason === "budget" || still?.reason === "project_budget") return t(still.reason === "budget" ? "budgetHeld" : "daySpent");
  if (still?.reason === "not_swept" || still?.reason === "nothing_ended") return t(still.reason === "not_swept" ? "notSwept" : "nothingEnded", { time: clock(still.since ?? task.asOf) });
  if (still && still.reason !== "not_started") return told(still.reason, `${still.detail} ${still.advice}`);
  if (task.status === "gathering") return t("gatheringWhy");
  if (!finished(task) && !task.extractingCount) return t("startingUp");
  if (!task.estimatedFinish) return t("keepsGoing");
  const [soonest, latest] = [task.estimatedFinish.p50, task.estimatedFinish.p90].map((at) => Date.parse(at ?? "") - Date.now()) as [number, number];
  if (latest <= 5_000) return t("etaSoon");
  const [from, to] = [duration(Math.max(soonest, 1_000)), duration(latest)];
  return from === to ? t("etaAbout", { time: to }) : t("etaBetween", { from, to });
}

/** What it waits for, where nothing that somebody has asked for comes first. */
function waits(task: Task): Task["waiting"] {
  return task.cancelRequested || task.paused || task.budgetReached ? null : task.waiting ?? null;
}

function waiting(held: NonNullable<Task["waiting"]>): string {
  const reason = t(WAITS[held.reason]);
  const next = Date.parse(held.until) > Date.now() ? t("triedAt", { time: clock(held.until) }) : t("triedNow");
  return `${t("waitsFor", { provider: held.provider, time: clock(held.since), reason, n: held.rows })} ${next}`;
}

/** Its account was mended, or it is there again: nobody has to wait for the next try. */
function Try({ project, task }: Pick<Props, "project" | "task">) {
  const act = async () => {
    await body("post", `${TASKS}/{task_id}/probe`, { path: { task_id: task.taskId }, project });
    await client.invalidateQueries({ queryKey: ["task", project, task.taskId] });
  };
  return <div class="actions"><Act act={act}>{t("tryNow")}</Act></div>;
}

function Counts({ task }: { task: Task }) {
  const counts: [Word, number][] = [
    ["pending", task.pendingCount],
    ["extracting", task.extractingCount],
    ["completed", task.completedCount],
    ["error", task.errorCount],
    ["cancelled", task.cancelledCount],
  ];
  return (
    <dl class="counts">
      {counts.map(([word, n]) => (
        <div key={word} class={n ? word : "none"}>
          <dt>{t(word)}</dt>
          <dd>{number(n)}</dd>
        </div>
      ))}
    </dl>
  );
}

const STEERING = {
  pause: `${TASKS}/{task_id}/pause`,
  resume: `${TASKS}/{task_id}/resume`,
  cancel: `${TASKS}/{task_id}/cancel`,
} as const;

function Steering({ project, task }: { project: string; task: Task }) {
  const [asking, setAsking] = useState(false);
  const steer = async (verb: keyof typeof STEERING) => {
    await body("post", STEERING[verb], { path: { task_id: task.taskId }, project });
    await client.invalidateQueries({ queryKey: ["task", project, task.taskId] });
  };
  if (task.cancelRequested) return null;
  return (
    <>
      <Act key={String(task.paused)} act={() => steer(task.paused ? "resume" : "pause")} class={task.paused ? "first" : ""}>{t(task.paused ? "resume" : "pause")}</Act>
      <button type="button" onClick={() => setAsking(true)}>{t("cancelTask")}</button>
      {asking && <Question title={t("cancelAsk")} text={t("cancelWhy")} yes={t("yesCancel")} no={t("goOn")} act={() => steer("cancel")} close={() => setAsking(false)} />}
    </>
  );
}

function RowList({ rows, titles, task, names }: { rows: Result[]; titles: Map<string, string>; task: Task; names: string[] }) {
  // Room for every row from the beginning: nothing moves while they fill.
  const room = Math.min(total(task), SHOWN_ROWS);
  const by = new Map(rows.map((row) => [row.row, row]));
  return (
    <ol class="papers boxed rows">
      {Array.from({ length: room }, (_, number) => <RowLine key={number} row={by.get(number)} title={titles.get(by.get(number)?.documentId ?? "")} task={task} name={names[number] ?? ""} />)}
    </ol>
  );
}

const WORDS: Record<Result["status"], Word> = {
  pending: "pending", extracting: "extracting", completed: "completed", error: "error", cancelled: "cancelled",
};

function RowLine({ row, title, task, name: sent }: { row: Result | undefined; title: string | undefined; task: Task; name: string }) {
  if (!row) return <li class="empty"><span class="paper"><strong>{sent}</strong></span></li>;
  const known = study(row);
  const name = known === row.snapshotFilename ? (title ?? known) : known;
  return (
    <li>
      <span class="paper">
        <strong title={row.snapshotFilename ?? undefined}>{name}</strong>
        <Doing row={row} task={task} />
      </span>
      <Badge state={row.status} word={WORDS[row.status]} />
    </li>
  );
}
