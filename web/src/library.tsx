// The library: knowledge bases, their papers, the state of each with its reason.
import { useState } from "preact/hooks";
import { type Place, href, turn } from "./address";
import { body } from "./api";
import { ChooseBase, EmptyBase, NoBase, useBase } from "./bases";
import { toggled, useChosen } from "./chosen";
import { Act, Badge, Failure, Question, Waiting } from "./pieces";
import { useOutside } from "./outside";
import { BASES, useBases, useDocuments, useFresh } from "./queries";
import { Inline, Relabel } from "./relabel";
import { ProjectSettings } from "./settings";
import type { Base, Document } from "./shapes";
import { deleted } from "./undo";
import * as upload from "./upload";
import { Choose, Dropping } from "./uploads";
import { type Word, bytes, many, papers, t, whyUnread } from "./words";

const DOCUMENTS = "/api/v1/pkb/documents/{document_id}";
type Props = { place: Place & { project: string }; may: boolean };

export function Library({ place, may, inside }: Props & { inside: boolean }) {
  const { project } = place;
  const bases = useBases(project);
  const chosen = useBase(project, bases.data ?? [], place.query["kb"]);
  const choose = (kb: string) => turn(place, { kb });
  return (
    <>
      <Dropping project={project} base={chosen?.knowledgeBaseId ?? null} name={chosen?.name ?? ""} may={may} />
      <div class="heading"><h1>{t("library")}</h1></div>
      {bases.isPending && <Waiting />}
      {bases.isError && !bases.data && <Failure error={bases.error} again={() => void bases.refetch()} />}
      {bases.data && !chosen && <NoBase project={project} choose={choose} may={may} />}
      {bases.data && chosen && (
        <>
          <div class="toolbar">
            <ChooseBase project={project} bases={bases.data} base={chosen.knowledgeBaseId} choose={choose} may={may} />
            {may && <RemoveBase project={project} base={chosen} done={() => choose("")} />}
          </div>
          <Papers key={chosen.knowledgeBaseId} place={place} base={chosen.knowledgeBaseId} may={may} />
        </>
      )}
      <ProjectSettings project={project} inside={inside} may={may} />
    </>
  );
}

function RemoveBase({ project, base, done }: { project: string; base: Base; done: () => void }) {
  const [asking, setAsking] = useState(false);
  const fresh = useFresh();
  const act = async () => {
    const path = { base_id: base.knowledgeBaseId };
    await body("delete", `${BASES}/{base_id}`, { path, project });
    await fresh("bases", project);
    done();
    const restore = async () => {
      await body("post", `${BASES}/{base_id}/restore`, { path, project });
      await Promise.all([fresh("bases", project), fresh("documents", project, base.knowledgeBaseId)]);
    };
    deleted({ project, name: base.name, restore });
  };
  return (
    <>
      <button type="button" class="plain careful" onClick={() => setAsking(true)}>{t("removeBase")}</button>
      {asking && <Question title={t("removeBase")} text={t("removeBaseAsk", { name: base.name, papers: papers(base.documentCount ?? 0) })} yes={t("yesDelete")} no={t("keep")} act={act} close={() => setAsking(false)} />}
    </>
  );
}

const UNREAD = new Set<Document["status"]>(["needs_ocr", "unreadable"]);

/** Whether a paper's line holds all of these words. */
export function matches(document: Document, text: string): boolean {
  const looked = [...document.tags, document.label, document.title, document.filename, document.firstAuthor, document.year].join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => looked.includes(word));
}

const ORDERS: Record<string, Word> = { "": "orderNew", title: "orderTitle", author: "orderAuthor", status: "orderStatus" };
const titled = (document: Document): string => document.title || document.filename;
const KEYS: Record<string, (document: Document) => string> = {
  title: titled,
  author: (document) => document.label ?? `${document.firstAuthor ?? "\uffff"} ${document.year ?? ""} ${titled(document)}`,
  status: (document) => `${UNREAD.has(document.status) ? 0 : document.status === "ready" ? 2 : 1} ${titled(document)}`,
};

/** By age as they come; what cannot be read is first by status. */
function ordered(documents: Document[], order: string): Document[] {
  const key = KEYS[order];
  return key ? [...documents].sort((a, b) => key(a).localeCompare(key(b), undefined, { numeric: true })) : documents;
}

function Papers({ place, base, may }: { place: Props["place"]; base: string; may: boolean }) {
  const { project } = place;
  const [text, setText] = useState("");
  const [chosen, choose] = useChosen(project, base);
  const order = place.query["sort"] ?? "";
  const documents = useDocuments(project, base);
  if (documents.isPending) return <Waiting />;
  if (documents.isError && !documents.data) return <Failure error={documents.error} again={() => void documents.refetch()} />;
  const found = documents.data ?? [];
  const tags = [...new Set(found.flatMap((document) => document.tags))].sort((a, b) => a.localeCompare(b));
  const tag = tags.find((each) => each === place.query["tag"]);
  const shown = ordered(found.filter((document) => matches(document, text) && (!tag || document.tags.includes(tag))), order);
  const picked = found.filter((document) => chosen.has(document.documentId));
  const unread = found.filter((document) => UNREAD.has(document.status)).length;
  const still = found.filter((document) => document.status === "uploading" || document.status === "reading").length;
  if (!found.length) return <EmptyBase project={project} base={base} may={may} />;
  return (
    <>
      <div class="toolbar list-head">
        <p class="quiet">{papers(found.length)}{unread > 0 && <span class="wrong"> · {t("unreadN", { n: unread })}</span>}{still > 0 && <span> · {t("stillN", { n: still })}</span>}</p>
        <input type="search" aria-label={t("searchPapers")} placeholder={t("searchPapers")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <label class="order">
          <span class="unseen">{t("order")}</span>
          <select value={order} onChange={(event) => turn(place, { sort: event.currentTarget.value })}>
            {Object.entries(ORDERS).map(([name, word]) => <option key={name} value={name}>{t(word)}</option>)}
          </select>
        </label>
        {may && <Choose project={project} base={base} />}
        {may && <a class="button first" href={href({ view: "new", project, query: { kb: base } })}>{picked.length ? t("extractFromN", { n: picked.length }) : t("extractFrom")}</a>}
      </div>
      {may && <p class="quiet small hint">{t("dropHint")}</p>}
      {tags.length > 0 && (
        <div class="filters by-tag" role="group" aria-label={t("tags")}>
          {tags.map((each) => <button key={each} type="button" aria-pressed={each === tag} onClick={() => turn(place, { tag: each === tag ? "" : each })}>{each}</button>)}
        </div>
      )}
      {picked.length > 0 && <Picked project={project} base={base} picked={picked} done={() => choose([])} />}
      {shown.length === 0 && <p class="quiet">{t("noMatch", { text })}</p>}
      <ul class="papers boxed">
        {shown.map((document) => (
          <li key={document.documentId}>
            {may && <input type="checkbox" checked={chosen.has(document.documentId)} aria-label={t("selectPaper", { name: titled(document) })} onChange={() => choose(toggled(chosen, document.documentId))} />}
            <PaperLine document={document} />
            {document.tags.length > 0 && <Tags project={project} base={base} document={document} may={may} />}
            {may && <PaperActions project={project} base={base} document={document} />}
          </li>
        ))}
      </ul>
    </>
  );
}

const TAG_MOST = 40;

const retag = (project: string, id: string, tags: string[]) => body("put", DOCUMENTS, { path: { document_id: id }, project, body: { tags } });

function Tags({ project, base, document, may }: { project: string; base: string; document: Document; may: boolean }) {
  const fresh = useFresh();
  const without = async (tag: string) => {
    await retag(project, document.documentId, document.tags.filter((each) => each !== tag));
    await fresh("documents", project, base);
  };
  return (
    <span class="tags">
      {document.tags.map((tag) => <span key={tag} class="tag">{tag}{may && <Act class="plain" label={t("removeTag", { tag, name: titled(document) })} act={() => without(tag)}>×</Act>}</span>)}
    </span>
  );
}

/** What can be done with several at once. */
function Picked({ project, base, picked, done }: { project: string; base: string; picked: Document[]; done: () => void }) {
  const [asking, setAsking] = useState(false);
  const fresh = useFresh();
  const each = (verb: (path: { document_id: string }) => Promise<unknown>) => Promise.all(picked.map((document) => verb({ document_id: document.documentId })));
  const tag = async (word: string | null) => {
    if (!word) return;
    await Promise.all(picked.map(({ documentId, tags }) => retag(project, documentId, [...tags, word]))).finally(() => fresh("documents", project, base));
  };
  const remove = async () => {
    await each((path) => body("delete", DOCUMENTS, { path, project })).finally(() => fresh("documents", project, base));
    done();
    const restore = async () => {
      await each((path) => body("post", `${DOCUMENTS}/restore`, { path, project }));
      await fresh("documents", project, base);
    };
    deleted({ project, name: papers(picked.length), restore });
  };
  return (
    <div class="toolbar picked" role="status">
      <strong>{t("pickedN", { papers: papers(picked.length) })}</strong>
      <Inline word={t("addTag")} of={t("addTag")} field={t("tag")} now="" most={TAG_MOST} save={tag} />
      <button type="button" class="plain" onClick={done}>{t("selectNone")}</button>
      <button type="button" class="plain careful" onClick={() => setAsking(true)}>{t("removePicked")}</button>
      {asking && <Question title={t("removePicked")} text={t("removePickedAsk", { papers: papers(picked.length) })} yes={t("yesDelete")} no={t("keep")} act={remove} close={() => setAsking(false)} />}
    </div>
  );
}

export function byline(document: Document): string {
  const author = document.label || [document.firstAuthor, document.year].filter(Boolean).join(" ");
  const length = document.pageCount ? many(document.pageCount, "pageOne", "pages") : "";
  return [author, document.title ? document.filename : "", length, document.size ? bytes(document.size) : ""].filter(Boolean).join(" · ");
}

export function PaperLine({ document }: { document: Document }) {
  const why = whyUnread([document.reason, document.advice].filter(Boolean).join(" "));
  // What has gone up waits for its turn: only what this tab is sending is on its way.
  const sending = useOutside(upload.all, upload.watch);
  const isQueued = document.status === "uploading" && !sending.some((item) => !upload.isOver(item) && item.file.name === document.filename);
  return (
    <>
      <span class="paper">
        <strong title={document.title || document.filename}>{document.title || document.filename}</strong>
        <span class="quiet small">{byline(document)}</span>
        {why.text && <span class="why small" lang={why.lang}>{why.text}</span>}
      </span>
      <Badge state={document.status} word={isQueued ? "queued" : document.status} />
    </>
  );
}

function PaperActions({ project, base, document }: { project: string; base: string; document: Document }) {
  const [asking, setAsking] = useState(false);
  const fresh = useFresh();
  const path = { document_id: document.documentId };
  const reread = async () => {
    await body("post", `${DOCUMENTS}/reread`, { path, project });
    await fresh("documents", project, base);
  };
  const remove = async () => {
    await body("delete", DOCUMENTS, { path, project });
    await fresh("documents", project, base);
    const restore = async () => {
      await body("post", `${DOCUMENTS}/restore`, { path, project });
      await fresh("documents", project, base);
    };
    deleted({ project, name: document.title || document.filename, restore });
  };
  return (
    <span class="paper-actions">
      <Relabel project={project} base={base} document={document.documentId} name={titled(document)} now={document.label || [document.firstAuthor, document.year].filter(Boolean).join(" ")} />
      {UNREAD.has(document.status) && <Act class="plain" act={reread}>{t("reread")}</Act>}
      <button type="button" class="plain careful" onClick={() => setAsking(true)} aria-label={`${t("remove")}: ${document.filename}`}>{t("remove")}</button>
      {asking && <Question title={t("remove")} text={t("removeAsk", { name: document.filename })} yes={t("yesDelete")} no={t("keep")} act={remove} close={() => setAsking(false)} />}
    </span>
  );
}
