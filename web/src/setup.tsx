// Step 1: a template, a knowledge base, its papers; then one button.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Place, go, href, turn } from "./address";
import { ChooseBase, EmptyBase, NoBase, chosenBase } from "./bases";
import { ChooseEngine, type Engines, readingOf } from "./engines";
import { Estimated } from "./estimate";
import { ChooseInputs, useInputs } from "./inputs";
import { PaperLine, matches } from "./library";
import { Failure, Steps, Waiting, said } from "./pieces";
import { useBases, useDocuments, useTemplates } from "./queries";
import type { Base } from "./shapes";
import { type Wanted, start, unanswered } from "./starting";
import { ChooseTemplate } from "./templates";
import { Choose, Dropping } from "./uploads";
import { t } from "./words";

type Props = { place: Place & { project: string }; may: boolean; engines: Engines };

export function Setup({ place, may, engines }: Props) {
  const { project } = place;
  const templates = useTemplates(project);
  const bases = useBases(project);
  const templateId = place.query["template"] ?? templates.data?.templates[0]?.templateId ?? "rct";
  const base = chosenBase(bases.data ?? [], place.query["kb"]);
  const choose = (kb: string) => turn(place, { kb });
  return (
    <>
      <Dropping project={project} base={base?.knowledgeBaseId ?? null} name={base?.name ?? ""} may={may} />
      <Steps now={1} />
      <div class="heading"><h1>{t("newTask")}</h1></div>
      {!may && <p class="wrong">{t("forbidden")}</p>}
      <div class="setup">
        <ChooseTemplate project={project} templates={templates} chosen={templateId} choose={(template) => turn(place, { template })} />
        <section class="panel" aria-labelledby="papers-heading">
          <div class="panel-head">
            <h2 id="papers-heading">{t("papers")}</h2>
            {base && <a href={href({ view: "library", project, query: { kb: base.knowledgeBaseId } })}>{t("goLibrary")}</a>}
          </div>
          {bases.isPending && <Waiting />}
          {bases.isError && !bases.data && <Failure error={bases.error} again={() => void bases.refetch()} />}
          {bases.data && !base && <NoBase project={project} choose={choose} may={may} />}
          {bases.data && base && (
            <>
              <ChooseBase project={project} bases={bases.data} base={base.knowledgeBaseId} choose={choose} may={may} />
              <Pick key={base.knowledgeBaseId} place={place} base={base} templateId={templateId} may={may} engines={engines} />
            </>
          )}
        </section>
      </div>
    </>
  );
}

const kept = (project: string, base: string) => `sheaf.chosen.${project}.${base}`;

function useChosen(project: string, base: string) {
  const name = kept(project, base);
  const [chosen, set] = useState(() => new Set<string>(JSON.parse(sessionStorage.getItem(name) ?? "[]") as string[]));
  const choose = (ids: Iterable<string>) => {
    const next = new Set(ids);
    sessionStorage.setItem(name, JSON.stringify([...next]));
    set(next);
  };
  return [chosen, choose] as const;
}

type PickProps = { place: Props["place"]; base: Base; templateId: string; may: boolean; engines: Engines };

function Pick({ place, base, templateId, may, engines }: PickProps) {
  const { project } = place;
  const reading = readingOf(place, engines);
  const inputs = useInputs(place, templateId);
  const documents = useDocuments(project, base.knowledgeBaseId);
  const [text, setText] = useState("");
  const [chosen, choose] = useChosen(project, base.knowledgeBaseId);
  const found = documents.data ?? [];
  const shown = useMemo(() => found.filter((document) => matches(document, text)), [found, text]);
  if (documents.isPending) return <Waiting />;
  if (documents.isError && !documents.data) return <Failure error={documents.error} again={() => void documents.refetch()} />;
  if (!found.length) return <EmptyBase project={project} base={base.knowledgeBaseId} may={may} />;
  const ready = shown.filter((document) => document.status === "ready").map((document) => document.documentId);
  const picked = found.filter((document) => document.status === "ready" && chosen.has(document.documentId));
  const turned = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return (
    <>
      <div class="toolbar">
        <input type="search" aria-label={t("searchPapers")} placeholder={t("searchPapers")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="button" onClick={() => choose([...chosen, ...ready])}>{t("selectAll")}</button>
        <button type="button" onClick={() => choose([...chosen].filter((id) => !ready.includes(id)))}>{t("selectNone")}</button>
        {may && <Choose project={project} base={base.knowledgeBaseId} />}
      </div>
      {may && <p class="quiet small hint">{t("dropHint")}</p>}
      {shown.length === 0 && <p class="quiet">{t("noMatch", { text })}</p>}
      <ul class="papers pick" tabIndex={0} aria-label={t("papers")}>
        {shown.map((document) => (
          <li key={document.documentId} class={document.status}>
            <label>
              <input
                type="checkbox"
                disabled={document.status !== "ready"}
                checked={document.status === "ready" && chosen.has(document.documentId)}
                aria-label={t("selectPaper", { name: document.title || document.filename })}
                onChange={() => turned(document.documentId)}
              />
              <PaperLine document={document} />
            </label>
          </li>
        ))}
      </ul>
      <ChooseInputs place={place} template={inputs.template} />
      <ChooseEngine place={place} engines={engines} />
      <Start
        project={project}
        may={may && !reading.wrong && inputs.known}
        all={found.length}
        wanted={{ templateId, documentIds: picked.map((document) => document.documentId), knowledgeBaseId: base.knowledgeBaseId, ...inputs.asked, ...reading.asked }}
        done={() => choose([])}
      />
    </>
  );
}

type StartProps = { project: string; wanted: Wanted; all: number; may: boolean; done: () => void };

function Start({ project, wanted, all, may, done }: StartProps) {
  const [busy, setBusy] = useState(false);
  const [late, setLate] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const here = useRef(true);
  const press = (asked: Wanted) => {
    setBusy(true);
    setError(null);
    start(project, asked, () => setLate(true))
      .then((task) => {
        done();
        if (here.current) go(href({ view: "task", project, task }));
      }, setError)
      .finally(() => {
        setBusy(false);
        setLate(false);
      });
  };
  useEffect(() => {
    here.current = true;
    const before = unanswered(project);
    if (before) press(before);
    return () => {
      here.current = false;
    };
  }, []);
  const n = wanted.documentIds.length;
  return (
    <div class="start">
      <Estimated project={project} wanted={wanted} />
      <p class="start-chosen">
        <strong>{t("selectedOf", { n, all })}</strong>
        <span class="quiet small">{n ? t("howStart") : t("nothingSelected")}</span>
      </p>
      <button type="button" class="first" disabled={!may || n === 0} aria-busy={busy} onClick={() => !busy && press(wanted)}>
        {t(busy ? "starting" : "start")}
      </button>
      <p class="start-said" role="status">{late ? t("startingAgain") : ""}</p>
      {error !== null && <p class="wrong" role="alert">{said(error)}</p>}
    </div>
  );
}
