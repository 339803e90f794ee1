// The project's tasks, newest first; each leads back to where it stands.
import { useInfiniteQuery } from "@tanstack/preact-query";
import { href } from "./address";
import { body } from "./api";
import { Badge, Failure, Notice, Waiting } from "./pieces";
import { TASKS, useBases, useTemplates } from "./queries";
import { type Base, CLOSED, type Task, type Template, total } from "./shapes";
import { instant, many, named, papers, t, type Word } from "./words";

const LOOK_MS = 10_000;

export function TaskList({ project, may }: { project: string; may: boolean }) {
  const templates = useTemplates(project).data?.templates ?? [];
  const list = useInfiniteQuery({
    queryKey: ["tasks", project],
    queryFn: ({ pageParam }) => body("get", TASKS, { project, query: pageParam ? { cursor: pageParam } : {} }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? null,
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.tasks.some((task) => !CLOSED.has(task.status))) ? LOOK_MS : false,
  });
  const start = <a class="button first" href={href({ view: "new", project })}>{t("newTask")}</a>;
  const tasks = list.data?.pages.flatMap((page) => page.tasks) ?? [];
  const bases = useBases(project, tasks.length > 0).data;
  return (
    <>
      <div class="heading"><h1>{t("tasks")}</h1>{may && tasks.length > 0 && start}</div>
      {list.isPending && <Waiting />}
      {list.isError && !tasks.length && <Failure error={list.error} again={() => void list.refetch()} />}
      {list.isSuccess && !tasks.length && (
        <Notice title={t("noTasks")} action={may && <a class="button first" href={href({ view: "new", project })}>{t("startFirst")}</a>}>
          {t("noTasksWhy")}
        </Notice>
      )}
      {tasks.length > 0 && (
        <ul class="tasks">
          {tasks.map((task) => <Entry key={task.taskId} task={task} project={project} templates={templates} bases={bases} />)}
        </ul>
      )}
      {list.hasNextPage && <button type="button" onClick={() => void list.fetchNextPage()}>{t("more")}</button>}
    </>
  );
}

/** What a task is of: how many papers, from where, since when, read by whom. */
export function about(task: Task, bases: Base[] | undefined): string {
  const base = bases?.find((each) => each.knowledgeBaseId === task.knowledgeBaseId)?.name;
  const engine = task.engine ? `${t("engine")} ${task.engine}` : "";
  const known = task.templateId ? papers(total(task)) : many(total(task), "rowOne", "rowsN");
  const count = task.totalCount == null ? "" : known;
  return [count, base, instant(task.createdAt), engine].filter(Boolean).join(" · ");
}

export function standing(task: Task): Word {
  if (task.status === "failed") return "error";
  return task.status === "processing" && task.paused ? "paused" : task.status;
}

type EntryProps = { task: Task; project: string; templates: Template[]; bases: Base[] | undefined };

function Entry({ task, project, templates, bases }: EntryProps) {
  const closed = CLOSED.has(task.status);
  const { checked } = task as { checked?: { cells: number; checked: number } | null };
  const template = templates.find((each) => each.templateId === task.templateId);
  const kind = template ? named(template) : (task.templateId ?? task.kind);
  return (
    <li>
      <a href={href({ view: closed ? "results" : "task", project, task: task.taskId })}>
        <span class="tasks-what">
          <strong>{task.name || kind}</strong>
          <span class="quiet">{task.name ? `${kind} · ` : ""}{about(task, bases)}{task.retryOf ? ` · ${t("retryOf")}` : ""}</span>
        </span>
        <span class="tasks-how">
          {checked && checked.checked > 0 && <span class="task-checked"><progress max={checked.cells} value={checked.checked} aria-hidden="true" />{t("checkedOf", { n: checked.checked, all: checked.cells })}</span>}
          {task.errorCount > 0 && <span class="count-error">{t("errorsN", { n: task.errorCount })}</span>}
          {closed ? <span class="quiet">{t("doneN", { n: task.completedCount })}</span> : task.percent != null && <Meter percent={task.percent} />}
          <Badge state={standing(task)} word={standing(task)} />
        </span>
      </a>
    </li>
  );
}

export function Meter({ percent }: { percent: number }) {
  return (
    <span class="meter">
      <progress max={100} value={percent} aria-label={`${percent} %`} />
      <span>{percent} %</span>
    </span>
  );
}
