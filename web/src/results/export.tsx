// The table as a file: the formats, how far the file is, and the file.
import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "../../made/api";
import { body, insist } from "../api";
import { Menu, said } from "../pieces";
import { TASKS } from "../queries";
import { CLOSED, type Task } from "../shapes";
import { t, useLanguage, type Word } from "../words";

type File = components["schemas"]["Export"];
const FORMATS: [File["format"], Word][] = [["xlsx", "asWorkbook"], ["csv", "asCsv"], ["csv-long", "asLong"], ["jsonl", "asJson"]];
const LOOK_MS = 1_000;

export function Export({ project, task }: { project: string; task: Task }) {
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<unknown>(null);
  const here = useRef(true);
  useEffect(() => () => void (here.current = false), []);
  const language = useLanguage();
  const isUnderWay = file !== null && (file.status === "waiting" || file.status === "writing");
  const order = async (format: File["format"]) => {
    setError(null);
    const asked = { path: { task_id: task.taskId }, project };
    let found = await insist(() => body("post", `${TASKS}/{task_id}/exports`, { ...asked, body: { format, language } }));
    setFile(found);
    while (here.current && (found.status === "waiting" || found.status === "writing")) {
      await new Promise((go) => setTimeout(go, LOOK_MS));
      const path = { task_id: task.taskId, export_id: found.exportId };
      found = await insist(() => body("get", `${TASKS}/{task_id}/exports/{export_id}`, { path, project }));
      setFile(found);
    }
    if (here.current && found.url) location.assign(found.url);
  };
  return (
    <div class="export">
      <Menu label={t("takeOut")} isBusy={isUnderWay}>
        {!CLOSED.has(task.status) && <p class="quiet small">{t("partialWhy")}</p>}
        {FORMATS.map(([format, word]) => (
          <button key={format} type="button" class="closes" disabled={isUnderWay} onClick={() => void order(format).catch(setError)}>{t(word)}</button>
        ))}
      </Menu>
      <span class="small" role="status">
        {error !== null && <span class="wrong">{said(error)}</span>}
        {error === null && isUnderWay && t("fileWriting")}
        {error === null && file?.status === "ready" && file.url && <a href={file.url} download={file.filename}>{t("fileReady", { name: file.filename })}</a>}
        {error === null && file?.status === "failed" && <span class="wrong">{t("fileFailed")}</span>}
      </span>
    </div>
  );
}
