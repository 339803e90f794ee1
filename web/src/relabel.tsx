// Words that people give: a study's name, a task's, a tag. A word that turns into a field; Enter keeps it, Escape leaves it.
import { useState } from "preact/hooks";
import { body } from "./api";
import { Act } from "./pieces";
import { TASKS, client, useFresh } from "./queries";
import type { Task } from "./shapes";
import { t } from "./words";

const DOCUMENT = "/api/v1/pkb/documents/{document_id}";

/** Once, when it appears. */
const focused = (field: HTMLInputElement | null): void => void (field && field !== document.activeElement && field.focus());

type Props = { word: string; of: string; field: string; now: string; most: number; save: (name: string | null) => Promise<unknown> };

export function Inline({ word, of, field, now, most, save }: Props) {
  const [name, set] = useState<string | null>(null);
  if (name === null) return <button type="button" class="plain" aria-label={of} onClick={() => set(now)}>{word}</button>;
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    set(null);
  };
  return (
    <form class="relabel" onSubmit={(event) => event.preventDefault()} onKeyDown={key}>
      <input ref={focused} aria-label={field} placeholder={field} maxLength={most} value={name} onInput={(event) => set(event.currentTarget.value)} />
      <Act type="submit" act={() => save(name.trim() || null).then(() => set(null))}>{t("labelSave")}</Act>
      <button type="button" class="plain" onClick={() => set(null)}>{t("cancel")}</button>
    </form>
  );
}

const LABEL_MOST = 120;

/** What people call a study, in place of the author and year that were found, wherever the paper is shown. */
export function Relabel({ project, base, document: id, name, now }: { project: string; base: string; document: string; name: string; now: string }) {
  const fresh = useFresh();
  const save = async (label: string | null) => {
    await body("put", DOCUMENT, { path: { document_id: id }, project, body: { label } });
    await fresh("documents", project, base);
  };
  return <Inline word={t("relabel")} of={t("relabelOf", { name })} field={t("labelField")} now={now} most={LABEL_MOST} save={save} />;
}

export const NAME_MOST = 80;

export function RenameTask({ project, task }: { project: string; task: Task }) {
  const save = async (name: string | null) => {
    await body("put", `${TASKS}/{task_id}`, { path: { task_id: task.taskId }, project, body: { name } });
    await Promise.all([client.invalidateQueries({ queryKey: ["task", project, task.taskId] }), client.invalidateQueries({ queryKey: ["tasks", project] })]);
  };
  return <Inline word={t("rename")} of={t("renameTask")} field={t("nameField")} now={task.name ?? ""} most={NAME_MOST} save={save} />;
}
