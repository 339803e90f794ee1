// What tasks of this project tell of the next one with the same engine: how long it may take, what may be found. Nothing where there were none.
import { useQuery } from "@tanstack/preact-query";
import { body } from "./api";
import { TASKS } from "./queries";
import { type Task, total } from "./shapes";
import { duration, t } from "./words";

const LATEST = 10;

/** Milliseconds a paper, half of the latest tasks were quicker; none where no task tells. */
function paceOf(tasks: Task[], engine: string): number | null {
  const paces = tasks
    .filter((task) => task.status === "completed" && task.engine === engine && task.completedAt && total(task) > 0)
    .slice(0, LATEST)
    .map((task) => (Date.parse(task.completedAt ?? "") - Date.parse(task.createdAt)) / total(task))
    .sort((a, b) => a - b);
  return paces[Math.floor(paces.length / 2)] ?? null;
}

/** How many fields of this template the engine has found in a paper, and how many it does not read, by its latest task. */
function foundBy(tasks: Task[], engine: string, templateId: string) {
  const latest = tasks.find((task) => task.status === "completed" && task.engine === engine && task.templateId === templateId && task.completedCount > 0);
  const cells = latest?.cells;
  if (!latest || !cells) return null;
  const a = (n: number) => Math.round(n / latest.completedCount);
  return { found: a(cells.found), not: a(cells.not_attempted), all: a(Object.values(cells).reduce((sum, n) => sum + n, 0)) };
}

/** What earlier tasks of this project tell of the next one, in words. */
export function useBefore(project: string, engine: string, templateId: string) {
  const asked = useQuery({ queryKey: ["tasks", project, "first"], queryFn: () => body("get", TASKS, { project }), staleTime: 60_000 });
  const tasks = asked.data?.tasks ?? [];
  const [pace, cells] = [paceOf(tasks, engine), foundBy(tasks, engine, templateId)];
  return (papers: number): string => [pace === null ? "" : t("paceOf", { time: duration(pace * papers) }), cells ? t("foundBefore", cells) : ""].filter(Boolean).join(" ");
}
