// Step 2: how far it is, what it waits for, the rows that are done, and the three things that one can do.
import { useState } from "preact/hooks";
import { href } from "./address";
import { body } from "./api";
import { RaiseBudget } from "./budget";
import { spent } from "./costs";
import { Act, Badge, Question, Steps } from "./pieces";
import { SHOWN_ROWS, TASKS, client, useBases, useRunningRows, useTemplates } from "./queries";
import type { Result, Task } from "./shapes";
import { fault, study } from "./results/values";
import { about } from "./tasks";
import { clock, dollars, duration, named, number, t, told, type Word } from "./words";

type Props = { project: string; task: Task; may: boolean };

export function Progress({ project, task, may }: Props) {
  const rows = useRunningRows(project, task);
  const bases = useBases(project);
  const template = useTemplates(project).data?.templates.find((each) => each.templateId === task.templateId);
  return (
    <>
      <Steps now={2} />
      <div class="heading">
        <div>
          <h1>{t(task.templateId ? "progressOf" : "rowsOf", { n: finished(task), all: task.totalCount })}</h1>
          <p class="quiet small">{[template && named(template), about(task, bases.data)].filter(Boolean).join(" · ")}</p>
        </div>
        {may && <Steering project={project} task={task} />}
      </div>
      <section class="panel progress">
        <div class="progress-line">
          <progress max={100} value={task.percent} aria-label={t("step2")} />
          <strong>{task.percent} %</strong>
        </div>
        <Counts task={task} />
        <p class="progress-said" role="status">{standing(task)}</p>
        {may && waits(task) && <Try project={project} task={task} />}
        {spent(task) && <p class="progress-cost">{spent(task)}</p>}
        {may && task.budgetReached && !task.cancelRequested && <RaiseBudget project={project} task={task} />}
      </section>
      <div class="heading second">
        <h2>{t(task.templateId ? "papers" : "rows")}</h2>
        <a href={href({ view: "results", project, task: task.taskId })}>{t("seeTable")}</a>
      </div>
      <RowList rows={rows.data?.rows ?? []} task={task} />
      {task.totalCount > SHOWN_ROWS && <p class="rows-more quiet small">{t("firstRows", { n: SHOWN_ROWS, all: task.totalCount })}</p>}
    </>
  );
}

const WAITS: Record<NonNullable<Task["waiting"]>["reason"], Word> = {
  account: "waitAccount", throttled: "waitThrottled", unavailable: "waitUnavailable",
};

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
    <div class="actions">
      <Act key={String(task.paused)} act={() => steer(task.paused ? "resume" : "pause")} class={task.paused ? "first" : ""}>{t(task.paused ? "resume" : "pause")}</Act>
      <button type="button" onClick={() => setAsking(true)}>{t("cancelTask")}</button>
      {asking && <Question title={t("cancelAsk")} text={t("cancelWhy")} yes={t("yesCancel")} no={t("goOn")} act={() => steer("cancel")} close={() => setAsking(false)} />}
    </div>
  );
}

function RowList({ rows, task }: { rows: Result[]; task: Task }) {
  // Room for every row from the beginning: nothing moves while they fill.
  const room = Math.min(task.totalCount, SHOWN_ROWS);
  const by = new Map(rows.map((row) => [row.row, row]));
  return (
    <ol class="papers boxed rows">
      {Array.from({ length: room }, (_, number) => <RowLine key={number} row={by.get(number)} />)}
    </ol>
  );
}

const WORDS: Record<Result["status"], Word> = {
  pending: "pending", extracting: "extracting", completed: "completed", error: "error", cancelled: "cancelled",
};

/** What there is to say of a row beside its name: what went wrong, or how much was found in which file. */
function more(row: Result, name: string): string {
  if (row.status === "error") return fault(row);
  const counted = row.summary?.cells;
  const found = counted ? t("foundN", { n: counted.found }) : "";
  return [found, name === row.snapshotFilename ? "" : row.snapshotFilename].filter(Boolean).join(" · ");
}

function RowLine({ row }: { row: Result | undefined }) {
  if (!row) return <li class="empty"><span class="paper" /></li>;
  const name = study(row);
  return (
    <li>
      <span class="paper">
        <strong>{name}</strong>
        <span class={`quiet small ${row.status === "error" ? "why" : ""}`} title={row.status === "error" ? fault(row) : undefined}>{more(row, name)}</span>
      </span>
      <Badge state={row.status} word={WORDS[row.status]} />
    </li>
  );
}
