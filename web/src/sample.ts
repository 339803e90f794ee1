// A review to look at: the sample papers read, and what was found in half of them agreed with as a block, each with a note that
// nobody has read it. It goes on by itself as long as this tab does; what was begun stays what it is, whatever ends it.
import { go, href, parse } from "./address";
import { body } from "./api";
import { BASES, TASKS, client } from "./queries";
import { agreeAll } from "./results/check";
import { CLOSED, type Result, type Task, type TemplateField } from "./shapes";
import { start } from "./starting";
import { t } from "./words";

const LOOK_MS = 2_000;
const MOST_LOOKS = 300;
const UNDER_WAY = new Set(["uploading", "reading"]);

async function until<V>(look: () => Promise<V>, isOver: (found: V) => boolean): Promise<V> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const found = await look().catch(() => null);
    if (found && isOver(found)) return found;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  throw new Error("The sample papers were not read in time.");
}

export async function review(project: string, base: string, count: number): Promise<void> {
  const listed = () => body("get", `${BASES}/{base_id}/documents`, { path: { base_id: base }, project });
  const { documents } = await until(listed, (found) => found.documents.length >= count && !found.documents.some(({ status }) => UNDER_WAY.has(status)));
  const documentIds = documents.filter(({ status }) => status === "ready").map(({ documentId }) => documentId);
  const id = await start(project, { templateId: "rct", name: t("sampleName"), knowledgeBaseId: base, documentIds }, () => undefined);
  if (["library", "new"].includes(parse(location.hash).view)) go(href({ view: "task", project, task: id }));
  const path = { task_id: id };
  await until(() => body("get", `${TASKS}/{task_id}`, { path, project }), (task: Task) => CLOSED.has(task.status));
  const [{ results }, { fields }] = await Promise.all([
    body("get", `${TASKS}/{task_id}/results`, { path, project, query: { view: "values" } }),
    body("get", `${TASKS}/{task_id}/template`, { path, project }),
  ]);
  const rows = (results as Result[]).slice(0, Math.ceil(results.length / 2));
  const isFound = (row: Result, { name, type }: TemplateField) => !type.startsWith("[") && row.extractedData?.fields?.[name]?.state === "found";
  agreeAll(project, rows.flatMap((row) => fields.filter((field) => isFound(row, field)).map((field) => ({ row, field }))), t("sampleMark"));
  await client.invalidateQueries({ queryKey: ["tasks", project] });
}
