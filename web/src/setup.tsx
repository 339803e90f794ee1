// Step 1: a template, a knowledge base, its papers; then one button.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Place, go, href, turn } from "./address";
import { ChooseBase, EmptyBase, NoBase, useBase } from "./bases";
import { toggled, useChosen } from "./chosen";
import { RULES } from "./costs";
import { ChooseEngine, type Engines, engineOf, readingOf } from "./engines";
import { Estimated } from "./estimate";
import { ChooseInputs, useInputs } from "./inputs";
import { ChooseLimit, limitOf } from "./limit";
import { PaperLine, matches } from "./library";
import { useBefore } from "./pace";
import { Failure, Steps, Waiting, said } from "./pieces";
import { NAME_MOST } from "./relabel";
import { remember, useBases, useDocuments, useTemplates } from "./queries";
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
  const base = useBase(project, bases.data ?? [], place.query["kb"]);
  const choose = (kb: string) => turn(place, { kb });
  return (
    <>
      <Dropping project={project} base={base?.knowledgeBaseId ?? null} name={base?.name ?? ""} may={may} />
      <Steps now={1} />
      <div class="heading"><h1>{t("newTask")}</h1></div>
      {!may && <p class="wrong">{t("forbidden")}</p>}
      <div class="setup">
        <ChooseTemplate project={project} may={may} templates={templates} chosen={templateId} choose={(template) => turn(place, { template })} />
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

type PickProps = { place: Props["place"]; base: Base; templateId: string; may: boolean; engines: Engines };

function Pick({ place, base, templateId, may, engines }: PickProps) {
  const { project } = place;
  const reading = readingOf(place, engines);
  const limit = limitOf(place);
  const name = place.query["name"] ?? "";
  const before = useBefore(project, engineOf(place, engines), templateId);
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
                onChange={() => choose(toggled(chosen, document.documentId))}
              />
              <PaperLine document={document} />
            </label>
          </li>
        ))}
      </ul>
      <label class="task-name">
        {t("taskName")}
        <input type="text" maxLength={NAME_MOST} autocomplete="off" value={name} aria-describedby="task-name-help" onInput={(event) => turn(place, { name: event.currentTarget.value })} />
        <span id="task-name-help" class="quiet small">{t("taskNameHelp")}</span>
      </label>
      <ChooseInputs place={place} template={inputs.template} />
      <ChooseEngine place={place} engines={engines} />
      {engineOf(place, engines) === RULES && inputs.template.data?.fields?.some(({ name }) => ASKS.test(name)) && <p class="aside">{t("formByHand")}</p>}
      <ChooseLimit place={place} />
      <Start
        project={project}
        may={may && !reading.wrong && !limit.wrong && inputs.known}
        all={found.length}
        picked={picked.map((document) => document.documentId)}
        before={before}
        wanted={{ templateId, ...(name.trim() ? { name: name.trim() } : {}), knowledgeBaseId: base.knowledgeBaseId, ...inputs.asked, ...reading.asked, ...limit.asked }}
        done={(task, n) => {
          remember(project, task, picked.slice(0, n).map((document) => document.label || document.title || document.filename));
          // Those of a trial are chosen still: all of them come next.
          if (n === picked.length) choose([]);
        }}
      />
    </>
  );
}

/** The questions that judgements follow from, by their names. */
const ASKS = /^(rob|nos)_/;
const FEW = 3;
/** So many are named one by one: the rows of so few are there with the answer. */
const NAMED_AT_MOST = 800;

type StartProps = { project: string; wanted: Wanted; picked: string[]; all: number; before: (papers: number) => string; may: boolean; done: (task: string, n: number) => void };

function Start({ project, wanted, picked, all, before, may, done }: StartProps) {
  const [busy, setBusy] = useState(false);
  const [late, setLate] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const here = useRef(true);
  const n = picked.length;
  const press = (asked: Wanted) => {
    setBusy(true);
    setError(null);
    start(project, asked, () => setLate(true))
      .then((task) => {
        done(task, asked.documentIds?.length ?? n);
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
  const named = { ...wanted, documentIds: picked };
  const few = { ...named, documentIds: picked.slice(0, FEW), ...(wanted.name ? { name: t("tryThreeName", { name: wanted.name.slice(0, NAME_MOST - 20) }) } : {}) };
  return (
    <div class="start">
      <Estimated project={project} wanted={named} more={before(n)} />
      <p class="start-chosen">
        <strong>{t("selectedOf", { n, all })}</strong>
        <span class="quiet small">{n ? t("howStart") : t("nothingSelected")}</span>
      </p>
      <div class="actions">
        {n > FEW && <button type="button" disabled={!may} aria-busy={busy} title={t("tryThreeWhy")} onClick={() => !busy && press(few)}>{t("tryThree")}</button>}
        <button type="button" class="first" disabled={!may || n === 0} aria-busy={busy} onClick={() => !busy && press(n === all && n > NAMED_AT_MOST ? wanted : named)}>
          {t(busy ? "starting" : "start")}
        </button>
      </div>
      <p class="start-said" role="status">{late ? t("startingAgain") : ""}</p>
      {error !== null && <p class="wrong" role="alert">{said(error)}</p>}
    </div>
  );
}
