// Starting a task once: its key and its request are kept in this browser until the answer has come, whatever happens
// to the network, the button or the tab in between.
import { body, insist, isPassing } from "./api";
import { keep, keptObject } from "./kept";
import { TASKS, client } from "./queries";

export type Wanted = {
  templateId: string;
  name?: string;
  /** Without them, all of the knowledge base. */
  documentIds?: string[];
  knowledgeBaseId: string;
  templateInputs?: Record<string, string>;
  engine?: string;
  budgetUsd?: number;
  mostAtWork?: number;
};
type Kept = { key: string; wanted: Wanted };

const place = (project: string) => `sheaf.start.${project}`;
const under = new Map<string, Promise<string>>();

/** What was asked and never answered, perhaps before a reload. */
export function unanswered(project: string): Wanted | null {
  return keptObject<Kept>(place(project))?.wanted ?? null;
}

/** The id of the task, opened now or by an earlier press. Raises Problem where the API refuses. */
export function start(project: string, wanted: Wanted, told: () => void): Promise<string> {
  const found = under.get(project);
  if (found) return found;
  const kept = keptObject<Kept>(place(project));
  const isSame = kept && JSON.stringify(kept.wanted) === JSON.stringify(wanted);
  const key = isSame ? kept.key : crypto.randomUUID();
  keep(place(project), JSON.stringify({ key, wanted }));
  const asked = insist(() => body("post", TASKS, { project, key, body: wanted }), told)
    .then((task) => {
      keep(place(project), null);
      void client.invalidateQueries({ queryKey: ["tasks", project] });
      return task.taskId;
    })
    .catch((error: unknown) => {
      if (!isPassing(error)) keep(place(project), null);
      throw error;
    })
    .finally(() => under.delete(project));
  under.set(project, asked);
  return asked;
}
