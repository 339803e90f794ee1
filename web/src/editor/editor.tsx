// The template editor: sections and fields at the left, one field's form at the right, one paper to try it on beside them.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Place, href, replace } from "../address";
import { Problem, body } from "../api";
import type { Engines } from "../engines";
import { keep, keptObject } from "../kept";
import { Act, Failure, Notice, Question, Waiting, said } from "../pieces";
import { client, useTemplate } from "../queries";
import type { Result, Schemas } from "../shapes";
import { makeOurs } from "../templates";
import { named, t } from "../words";
import { type Draft, type Problems, draftOf, newId, placeOf, problems, same, sent } from "./draft";
import { FieldForm } from "./field";
import { FieldList, know } from "./list";
import { ImportCsv } from "./import";
import { TryIt } from "./try";
import { Versions } from "./versions";
import { type EditorWord, e } from "./words";

type Props = { place: Place & { project: string }; may: boolean; engines: Engines };
const TEMPLATE = "/api/v1/asl/extraction/templates/{template_id}";
type Whole = Schemas["Template"];

export default function Editor({ place, may, engines }: Props) {
  const { project } = place;
  const id = place.query["id"] ?? "";
  const found = useTemplate(project, id);
  useEffect(() => {
    document.title = `${e("title")} · Sheaf`;
  });
  if (found.isPending) return <Waiting />;
  if (!found.data) return <Failure whole error={found.error} again={() => void found.refetch()} />;
  if (found.data.builtIn || !may) return <Closed place={place} template={found.data} may={may} />;
  return <Open key={id} place={place} template={found.data} engines={engines} />;
}

function Closed({ place, template, may }: { place: Props["place"]; template: Whole; may: boolean }) {
  const act = () => makeOurs(place.project, template.templateId);
  return <Notice whole title={named(template)} action={may && <Act class="first" act={act}>{e("makeOurs")}</Act>}>{e(may ? "builtIn" : "viewer")}</Notice>;
}

const NARROW_PX = 900;
type Kept = { version: number; draft: Draft };

/** With ids of this visit. */
function restored(name: string): Kept | null {
  const kept = keptObject<Kept>(name);
  for (const field of kept?.draft.fields ?? []) field.id = newId();
  return kept;
}

function Open({ place, template, engines }: { place: Props["place"]; template: Whole; engines: Engines }) {
  const { project } = place;
  const name = `sheaf.draft.${project}.${template.templateId}`;
  const before = useMemo(() => (know(template.fields), draftOf(template)), [template]);
  const [first] = useState(() => restored(name));
  const [draft, set] = useState<Draft>(first?.draft ?? before);
  // The version that was changed: another may have saved a later one.
  const [of, setOf] = useState(first?.version ?? template.version);
  const [wasKept, setWasKept] = useState(first !== null);
  const [refused, setRefused] = useState<{ at: string; why: string } | null>(null);
  const [savedAs, setSavedAs] = useState(0);
  const [isDiscarding, setDiscarding] = useState(false);
  const [tried, setTried] = useState<Result | null>(null);
  const isChanged = !same(draft, before);
  useEffect(() => keep(name, isChanged ? JSON.stringify({ version: of, draft }) : null), [draft, of, isChanged]);
  const wrong: Problems = useMemo(() => problems(draft), [draft]);
  const change = (next: Draft) => {
    set(next);
    setRefused(null);
    setSavedAs(0);
  };
  const [chosenId, setChosen] = useState<number | null>(null);
  const right = useRef<HTMLDivElement>(null);
  const choose = (id: number) => {
    setChosen(id);
    // Where one stands below the other, the form is what somebody wants to see.
    if (innerWidth <= NARROW_PX) right.current?.scrollIntoView({ block: "start" });
  };
  const chosen = draft.fields.find((each) => each.id === chosenId);
  const discard = () => {
    change(draftOf(template));
    setOf(template.version);
    setWasKept(false);
    setDiscarding(false);
  };
  const save = async (): Promise<number> => {
    try {
      const saved = await body("put", TEMPLATE, { path: { template_id: template.templateId }, project, body: { ...sent(draft), version: template.version } });
      client.setQueryData(["template", project, template.templateId], saved);
      await client.invalidateQueries({ queryKey: ["templates", project] });
      // What the service made of it, with the same fields in hand.
      const next = draftOf(saved);
      next.fields.forEach((field, at) => (field.id = draft.fields[at]?.id ?? field.id));
      set(next);
      setOf(saved.version);
      setWasKept(false);
      setSavedAs(saved.version);
      return saved.version;
    } catch (error) {
      if (error instanceof Problem && error.kind === "template-changed") await client.invalidateQueries({ queryKey: ["template", project, template.templateId] });
      if (error instanceof Problem && error.field) {
        const at = placeOf(draft, error.field);
        setRefused({ at, why: e("refused", { reason: said(error) }) });
        if (at.includes(".")) choose(Number(at.split(".")[0]));
      }
      throw error;
    }
  };
  const told = (at: string): string => (refused?.at === at ? refused.why : wrong.get(at) ? e(wrong.get(at) as EditorWord) : "");
  return (
    <div class="editor">
      <p><a href={href({ view: "new", project, query: { template: template.templateId } })}>{e("back")}</a></p>
      <div class="heading">
        <div>
          <h1>{named(draft) || e("title")}</h1>
          <p class="quiet small">{e("version", { n: template.version })}</p>
        </div>
        <div class="actions">
          {isChanged && <button type="button" class="plain careful" onClick={() => setDiscarding(true)}>{e("discard")}</button>}
          <Act class="first" disabled={!isChanged || wrong.size > 0} act={save}>{e("save", { n: template.version + 1 })}</Act>
        </div>
      </div>
      <Standing isChanged={isChanged} wasKept={wasKept} newer={of < template.version ? template.version : 0} savedAs={savedAs} wrong={wrong.size} />
      {isDiscarding && <Question title={e("discard")} text={e("discardAsk", { n: template.version })} yes={e("yesDiscard")} no={e("keepThem")} act={async () => discard()} close={() => setDiscarding(false)} />}
      <div class="editor-parts">
        <FieldList draft={draft} change={change} chosen={chosen?.id ?? null} choose={choose} told={told} tried={tried} />
        <div class="editor-right" ref={right}>
          {chosen ? <FieldForm key={chosen.id} draft={draft} field={chosen} change={change} told={told} tried={tried} /> : <About draft={draft} change={change} told={told} />}
          <TryIt place={place} template={template} engines={engines} isChanged={isChanged} isWrong={wrong.size > 0} save={save} tell={setTried} />
          <Versions project={project} template={template} draft={draft} take={change} />
          <ImportCsv draft={draft} change={change} />
          <Remove project={project} template={template} done={() => keep(name, null)} />
        </div>
      </div>
    </div>
  );
}

type StandingProps = { isChanged: boolean; wasKept: boolean; newer: number; savedAs: number; wrong: number };

function Standing({ isChanged, wasKept, newer, savedAs, wrong }: StandingProps) {
  const said = [
    isChanged && newer ? e("newer", { n: newer }) : "",
    isChanged ? e(wasKept ? "kept" : "unsaved") : savedAs ? e("saved", { n: savedAs }) : "",
    wrong ? (wrong === 1 ? e("problemOne") : e("problemsN", { n: wrong })) : "",
  ].filter(Boolean);
  return <p class={`editor-standing small ${wrong || newer ? "doubt" : ""}`} role="status">{said.join(" ")}</p>;
}

type AboutProps = { draft: Draft; change: (draft: Draft) => void; told: (at: string) => string };

/** What the template is called and for: shown while no field is chosen. */
function About({ draft, change, told }: AboutProps) {
  return (
    <section class="panel form" aria-label={e("name")}>
      <label>{e("name")}<input maxLength={80} value={draft.label} aria-invalid={Boolean(told("label"))} aria-describedby="about-label" onInput={(event) => change({ ...draft, label: event.currentTarget.value })} /></label>
      <p id="about-label" class="wrong small">{told("label")}</p>
      <label>{e("nameZh")}<input lang="zh-Hans" maxLength={80} value={draft.labelZh} onInput={(event) => change({ ...draft, labelZh: event.currentTarget.value })} /></label>
      <label>{e("description")}<textarea rows={2} maxLength={600} value={draft.description} onInput={(event) => change({ ...draft, description: event.currentTarget.value })} /></label>
      <p class="wrong small">{told("fields")}</p>
      <p class="quiet small">{e("chooseField")}</p>
    </section>
  );
}

function Remove({ project, template, done }: { project: string; template: Whole; done: () => void }) {
  const [asking, setAsking] = useState(false);
  const act = async () => {
    await body("delete", TEMPLATE, { path: { template_id: template.templateId }, project });
    done();
    await client.invalidateQueries({ queryKey: ["templates", project] });
    replace(href({ view: "new", project }));
  };
  return (
    <p>
      <button type="button" class="plain careful" onClick={() => setAsking(true)}>{e("removeTemplate")}</button>
      {asking && <Question title={e("removeTemplate")} text={e("removeAsk", { name: named(template) })} yes={e("yesDelete")} no={t("keep")} act={act} close={() => setAsking(false)} />}
    </p>
  );
}
