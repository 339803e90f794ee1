// One paper, read with what stands here: a version is saved, a task is opened over the paper, its answers are shown beside the form.
import { useQuery } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { type Place, href } from "../address";
import { body, insist } from "../api";
import { useBase } from "../bases";
import { ChooseEngine, type Engines, readingOf } from "../engines";
import { Estimated } from "../estimate";
import { Act } from "../pieces";
import { TASKS, useBases, useDocuments, useTask } from "../queries";
import { fault } from "../results/values";
import { CLOSED, type Document, type Result, type Schemas } from "../shapes";
import { named } from "../words";
import { e } from "./words";

const NAME_MAX = 80;
type Props = {
  place: Place & { project: string };
  template: Schemas["Template"];
  engines: Engines;
  isChanged: boolean;
  isWrong: boolean;
  save: () => Promise<number>;
  tell: (row: Result | null) => void;
};
type Trial = { task: string; name: string; version: number };

export function TryIt({ place, template, engines, isChanged, isWrong, save, tell }: Props) {
  const { project } = place;
  const bases = useBases(project);
  const base = useBase(project, bases.data ?? [], place.query["kb"]);
  const documents = useDocuments(project, base?.knowledgeBaseId ?? null);
  const ready = (documents.data ?? []).filter((each) => each.status === "ready");
  const [chosen, choose] = useState("");
  const [trial, setTrial] = useState<Trial | null>(null);
  const paper = ready.find((each) => each.documentId === chosen) ?? ready[0];
  const reading = readingOf(place, engines);
  const wanted = paper && { templateId: template.templateId, documentIds: [paper.documentId], knowledgeBaseId: paper.knowledgeBaseId, ...reading.asked };
  const act = async () => {
    if (!wanted || !paper) return;
    const version = isChanged ? await save() : template.version;
    const key = crypto.randomUUID();
    const name = `${named(template)} · ${titled(paper)}`.slice(0, NAME_MAX);
    const task = await insist(() => body("post", TASKS, { project, key, body: { ...wanted, name } }));
    tell(null);
    setTrial({ task: task.taskId, name: titled(paper), version });
  };
  return (
    <section class="panel form" aria-labelledby="try-heading">
      <h2 id="try-heading">{e("tryIt")}</h2>
      <p class="quiet small">{e("tryWhy")}</p>
      {documents.data && !paper && <p class="small">{e("noPapers")}</p>}
      {paper && (
        <>
          <label>
            {e("tryPaper")}
            <select value={paper.documentId} onChange={(event) => choose(event.currentTarget.value)}>
              {ready.map((each) => <option key={each.documentId} value={each.documentId}>{titled(each)}</option>)}
            </select>
          </label>
          <ChooseEngine place={place} engines={engines} />
          {wanted && <Estimated project={project} wanted={wanted} />}
          <div class="actions"><Act act={act} disabled={isWrong || reading.wrong}>{e(isChanged ? "trySave" : "tryNow")}</Act></div>
        </>
      )}
      {trial && <Running key={trial.task} project={project} trial={trial} tell={tell} />}
    </section>
  );
}

const titled = (document: Document): string => document.title || document.filename;

function Running({ project, trial, tell }: { project: string; trial: Trial; tell: Props["tell"] }) {
  const task = useTask(project, trial.task).data;
  const isOver = task !== undefined && CLOSED.has(task.status);
  const rows = useQuery({
    queryKey: ["tried", project, trial.task],
    queryFn: async () => (await body("get", `${TASKS}/{task_id}/results`, { path: { task_id: trial.task }, project, patient: true })).results as Result[],
    enabled: isOver,
    staleTime: Infinity,
  });
  const row = rows.data?.[0];
  useEffect(() => {
    if (row?.status === "completed") tell(row);
  }, [row]);
  const places = { name: trial.name, n: trial.version, engine: task?.engine ?? "" };
  const said = !row ? e("trying", places) : row.status === "completed" ? e("tried", places) : e("tryFailed", { reason: fault(row) });
  return (
    <p class="small" role="status">
      {said} {row && <a href={href({ view: "results", project, task: trial.task })}>{e("openTry")}</a>}
    </p>
  );
}
