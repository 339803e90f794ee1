// Starting a task once: its key and its request are kept in this browser until the answer has come, whatever happens
// to the network, the button or the tab in between.
import { body, insist, isPassing } from "./api";
import { TASKS, client } from "./queries";

export type Wanted = {
  templateId: string;
  documentIds: string[];
  knowledgeBaseId: string;
  templateInputs?: Record<string, string>;
  engine?: string;
  budgetUsd?: number;
};
type Kept = { key: string; wanted: Wanted };

const place = (project: string) => `sheaf.start.${project}`;
const under = new Map<string, Promise<string>>();

/** What was asked and never answered, perhaps before a reload. */
export function unanswered(project: string): Wanted | null {
  const text = localStorage.getItem(place(project));
  return text ? (JSON.parse(text) as Kept).wanted : null;
}

/** The id of the task, opened now or by an earlier press. Raises Problem where the API refuses. */
export function start(project: string, wanted: Wanted, told: () => void): Promise<string> {
  const found = under.get(project);
  if (found) return found;
  const before = localStorage.getItem(place(project));
  const kept = before ? (JSON.parse(before) as Kept) : null;
  const isSame = kept && JSON.stringify(kept.wanted) === JSON.stringify(wanted);
  const key = isSame ? kept.key : crypto.randomUUID();
  localStorage.setItem(place(project), JSON.stringify({ key, wanted }));
  const asked = insist(() => body("post", TASKS, { project, key, body: wanted }), told)
    .then((task) => {
      localStorage.removeItem(place(project));
      void client.invalidateQueries({ queryKey: ["tasks", project] });
      return task.taskId;
    })
    .catch((error: unknown) => {
      if (!isPassing(error)) localStorage.removeItem(place(project));
      throw error;
    })
    .finally(() => under.delete(project));
  under.set(project, asked);
  return asked;
}
