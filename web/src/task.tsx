// One task: its progress while it runs, its table once it has closed. It goes from one to the other by itself.
import { useEffect } from "preact/hooks";
import { type Place, href, isHere, replace } from "./address";
import { Failure, Waiting } from "./pieces";
import { Progress } from "./progress";
import { client, firstOf, useTask } from "./queries";
import { Results } from "./results/results";
import { CLOSED, type Task } from "./shapes";
import { t } from "./words";

export type Here = Place & { project: string; task: string };

export function TaskPage({ place, may }: { place: Here; may: boolean }) {
  const { project, task: id } = place;
  const found = useTask(project, id);
  const task = found.data;
  useTitle(task);
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
  if (place.view === "results") return <Results place={place} task={task} may={may} />;
  return CLOSED.has(task.status) ? <Waiting /> : <Progress project={project} task={task} may={may} />;
}

function useTitle(task: Task | undefined): void {
  const running = task && !CLOSED.has(task.status);
  const title = running ? `${task.percent} % · ${t(task.paused ? "paused" : "processing")}` : t("step3");
  useEffect(() => {
    document.title = task ? `${title} · Sheaf` : "Sheaf";
  }, [title, !task]);
}
