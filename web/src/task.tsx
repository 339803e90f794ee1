// One task: its progress while it runs, its table once it has closed. It goes from one to the other by itself.
import { lazy, Suspense } from "preact/compat";
import { useEffect } from "preact/hooks";
import { type Place, href, isHere, parse, replace } from "./address";
import { tell } from "./live";
import { Failure, Waiting } from "./pieces";
import { Progress } from "./progress";
import { client, firstOf, useTask } from "./queries";
import { CLOSED, type Task } from "./shapes";
import { standing } from "./tasks";
import { t } from "./words";

const load = () => import("./results/results").then((found) => ({ default: found.Results }));
const Results = lazy(load);
// Whoever comes to a task comes to its table: it is there by then.
if (["task", "results"].includes(parse(location.hash).view)) void load().catch(() => undefined);

export type Here = Place & { project: string; task: string };

export function TaskPage({ place, may }: { place: Here; may: boolean }) {
  const { project, task: id } = place;
  const found = useTask(project, id);
  const task = found.data;
  useTitle(task);
  useEffect(() => void load().catch(() => undefined), []);
  useEffect(() => {
    if (task && CLOSED.has(task.status)) tell(task);
  }, [task?.status]);
  useEffect(() => {
    if (!task || place.view !== "task" || !CLOSED.has(task.status)) return;
    // What was read of the tables before is older than what this task has done.
    client.removeQueries({ queryKey: ["table", project], type: "inactive" });
    // A retry's rows stand in the table of the task that was retried first.
    void firstOf(project, task).then((first) => {
      if (isHere(place)) replace(href({ view: "results", project, task: first }));
    });
  }, [task?.status, place.view]);
  if (!task) return found.isError ? <Failure whole error={found.error} again={() => void found.refetch()} /> : <Waiting />;
  if (place.view === "results") return <Suspense fallback={<Waiting rows={8} />}><Results place={place} task={task} may={may} /></Suspense>;
  return CLOSED.has(task.status) ? <Waiting /> : <Progress project={project} task={task} may={may} />;
}

function useTitle(task: Task | undefined): void {
  const running = task && !CLOSED.has(task.status);
  const far = task?.totalCount == null ? "" : `${task.percent} % · `;
  const title = [running ? `${far}${t(standing(task))}` : t("step3"), task?.name].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = task ? `${title} · Sheaf` : "Sheaf";
  }, [title, !task]);
}
