// Choosing a knowledge base, making one, and filling an empty one.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { body, insist } from "./api";
import { config } from "./config";
import { keep, kept } from "./kept";
import { useOutside } from "./outside";
import { Act, Notice, Waiting } from "./pieces";
import { BASES, client } from "./queries";
import type { Base } from "./shapes";
import * as upload from "./upload";
import { Choose } from "./uploads";
import { t } from "./words";

async function make(project: string, name: string, key: string): Promise<string> {
  const made = await insist(() => body("post", BASES, { project, key, body: { name } }));
  await client.invalidateQueries({ queryKey: ["bases", project] });
  return made.knowledgeBaseId;
}

type ChosenProps = { project: string; bases: Base[]; base: string | null; choose: (id: string) => void; may: boolean };

export function ChooseBase({ project, bases, base, choose, may }: ChosenProps) {
  const [making, setMaking] = useState(false);
  const chosen = bases.find((each) => each.knowledgeBaseId === base);
  return (
    <div class="choose-base">
      {bases.length > 0 && (
        <label>
          {t("chooseBase")}
          <select value={base ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
            {bases.map((each) => <option key={each.knowledgeBaseId} value={each.knowledgeBaseId}>{each.name}</option>)}
          </select>
        </label>
      )}
      {may && chosen && <Rename key={chosen.knowledgeBaseId} project={project} base={chosen} />}
      {may && !making && bases.length > 0 && <button type="button" class="plain" onClick={() => setMaking(true)}>{t("newBase")}</button>}
      {may && making && <NewBase project={project} done={(id) => (setMaking(false), choose(id))} close={() => setMaking(false)} />}
    </div>
  );
}

function Rename({ project, base }: { project: string; base: Base }) {
  const [naming, setNaming] = useState(false);
  const act = async (name: string) => {
    const path = { base_id: base.knowledgeBaseId };
    await body("put", `${BASES}/{base_id}`, { project, path, body: { name } });
    await client.invalidateQueries({ queryKey: ["bases", project] });
    setNaming(false);
  };
  if (!naming) return <button type="button" class="plain" onClick={() => setNaming(true)}>{t("rename")}</button>;
  return <Naming name={base.name} word="rename" done={act} close={() => setNaming(false)} />;
}

export function NewBase({ project, done, close }: { project: string; done: (id: string) => void; close?: () => void }) {
  const key = useRef(crypto.randomUUID());
  return <Naming name="" word="make" close={close} done={async (name) => done(await make(project, name, key.current))} />;
}

type NamingProps = { name: string; word: "make" | "rename"; done: (name: string) => Promise<void>; close?: (() => void) | undefined };

/** Enter says yes, Escape says no; nothing is left of it by going elsewhere. */
function Naming({ name: before, word, done, close }: NamingProps) {
  const [name, setName] = useState(before);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!close) return;
    field.current?.focus();
    field.current?.select();
  }, []);
  const act = async () => {
    if (name.trim()) await done(name.trim());
  };
  return (
    <form class="new-base" onSubmit={(event) => event.preventDefault()} onKeyDown={(event) => event.key === "Escape" && close?.()}>
      <label>
        {t("baseName")}
        <input ref={field} value={name} maxLength={100} required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <Act type="submit" act={act} disabled={!name.trim()}>{t(word)}</Act>
      {close && <button type="button" class="plain" onClick={close}>{t("cancel")}</button>}
    </form>
  );
}

/** Whether this deployment has sample papers to offer. */
function useSamples(): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => void config.then((told) => setHas(told.samples)), []);
  return has;
}

export function NoBase({ project, choose, may }: { project: string; choose: (id: string) => void; may: boolean }) {
  const key = useRef(crypto.randomUUID());
  const hasSamples = useSamples();
  const samples = async () => {
    // The papers first: an empty shelf that is about to be filled would ask what to put on it.
    const files = await upload.samples();
    const base = await make(project, t("samples"), key.current);
    void upload.add(files, project, base);
    choose(base);
    return [base, files.length] as const;
  };
  const sample = async () => {
    const [base, count] = await samples();
    // Whoever leaves ends it, and finds what has been read so far.
    void import("./sample").then(({ review }) => review(project, base, count)).catch(() => undefined);
  };
  return (
    <Notice
      title={t("noBases")}
      action={may && <>{hasSamples && <Act class="first" act={sample}>{t("sampleReview")}</Act>}{hasSamples && <Act act={samples}>{t("addSamples")}</Act>}<NewBase project={project} done={choose} /></>}
    >
      {t("noBasesWhy")}
    </Notice>
  );
}

export function EmptyBase({ project, base, may }: { project: string; base: string; may: boolean }) {
  const isComing = useOutside(upload.all, upload.watch).some((item) => item.base === base && !upload.isOver(item));
  const hasSamples = useSamples();
  const samples = async () => upload.add(await upload.samples(), project, base);
  if (isComing) return <Waiting rows={3} />;
  return (
    <Notice
      title={t("emptyBase")}
      action={may && <><Choose project={project} base={base} />{hasSamples && <Act act={samples}>{t("addSamples")}</Act>}</>}
    >
      {t("emptyBaseWhy")}
    </Notice>
  );
}

const place = (project: string) => `sheaf.base.${project}`;

/** The knowledge base that the address names, or the one that was looked at last, or the first. */
export function useBase(project: string, bases: Base[], asked: string | undefined): Base | null {
  const find = (id: string | null | undefined) => bases.find((each) => each.knowledgeBaseId === id);
  const found = find(asked) ?? find(kept(place(project))) ?? bases[0] ?? null;
  useEffect(() => {
    if (found) keep(place(project), found.knowledgeBaseId);
  }, [found?.knowledgeBaseId]);
  return found;
}
