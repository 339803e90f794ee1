// A task that has spent its budget: more of it, and it goes on.
import { useState } from "preact/hooks";
import { body } from "./api";
import { Act } from "./pieces";
import { TASKS, client } from "./queries";
import type { Task } from "./shapes";
import { t } from "./words";

type FieldProps = { text: string; set: (text: string) => void };

export function NewBudget({ text, set }: FieldProps) {
  return (
    <label>
      {t("budgetNew")}
      <input type="text" inputMode="decimal" autocomplete="off" value={text} onInput={(event) => set(event.currentTarget.value.trim())} />
    </label>
  );
}

export function RaiseBudget({ project, task }: { project: string; task: Task }) {
  const [text, setText] = useState("");
  const budgetUsd = Number(text);
  const isMore = budgetUsd > (task.budgetUsd ?? 0);
  const act = async () => {
    await body("post", `${TASKS}/{task_id}/budget`, { path: { task_id: task.taskId }, project, body: { budgetUsd } });
    await client.invalidateQueries({ queryKey: ["task", project, task.taskId] });
  };
  return (
    <div class="engines">
      <NewBudget text={text} set={setText} />
      <Act act={act} class="first" disabled={!isMore}>{t("budgetRaise")}</Act>
    </div>
  );
}
