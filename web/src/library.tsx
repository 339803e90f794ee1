// The library: knowledge bases, their papers, the state of each with its reason.
import { useState } from "preact/hooks";
import { type Place, turn } from "./address";
import { body } from "./api";
import { ChooseBase, EmptyBase, NoBase, chosenBase } from "./bases";
import { Act, Badge, Failure, Question, Waiting } from "./pieces";
import { BASES, useBases, useDocuments, useFresh } from "./queries";
import type { Base, Document } from "./shapes";
import { deleted } from "./undo";
import { Choose, Dropping } from "./uploads";
import { bytes, many, papers, t } from "./words";

const DOCUMENTS = "/api/v1/pkb/documents/{document_id}";
type Props = { place: Place & { project: string }; may: boolean };

export function Library({ place, may }: Props) {
  const { project } = place;
  const bases = useBases(project);
  const chosen = chosenBase(bases.data ?? [], place.query["kb"]);
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
          <Papers key={chosen.knowledgeBaseId} project={project} base={chosen.knowledgeBaseId} may={may} />
        </>
      )}
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
      {asking && <Question title={t("removeBase")} text={t("removeBaseAsk", { name: base.name })} yes={t("yesDelete")} no={t("keep")} act={act} close={() => setAsking(false)} />}
    </>
  );
}

const UNREAD = new Set<Document["status"]>(["needs_ocr", "unreadable"]);

/** Whether a paper's line holds all of these words. */
export function matches(document: Document, text: string): boolean {
  const looked = [document.title, document.filename, document.firstAuthor, document.year].join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => looked.includes(word));
}

function Papers({ project, base, may }: { project: string; base: string; may: boolean }) {
  const [text, setText] = useState("");
  const documents = useDocuments(project, base);
  if (documents.isPending) return <Waiting />;
  if (documents.isError && !documents.data) return <Failure error={documents.error} again={() => void documents.refetch()} />;
  const found = documents.data ?? [];
  const shown = found.filter((document) => matches(document, text));
  const unread = found.filter((document) => UNREAD.has(document.status)).length;
  if (!found.length) return <EmptyBase project={project} base={base} may={may} />;
  return (
    <>
      <div class="toolbar list-head">
        <p class="quiet">{papers(found.length)}{unread > 0 && <span class="wrong"> · {t("unreadN", { n: unread })}</span>}</p>
        <input type="search" aria-label={t("searchPapers")} placeholder={t("searchPapers")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        {may && <Choose project={project} base={base} />}
      </div>
      {may && <p class="quiet small hint">{t("dropHint")}</p>}
      {shown.length === 0 && <p class="quiet">{t("noMatch", { text })}</p>}
      <ul class="papers boxed">
        {shown.map((document) => (
          <li key={document.documentId}>
            <PaperLine document={document} />
            {may && <PaperActions project={project} base={base} document={document} />}
          </li>
        ))}
      </ul>
    </>
  );
}

export function byline(document: Document): string {
  const author = [document.firstAuthor, document.year].filter(Boolean).join(" ");
  const length = document.pageCount ? many(document.pageCount, "pageOne", "pages") : "";
  return [author, document.title ? document.filename : "", length, bytes(document.size ?? 0)].filter(Boolean).join(" · ");
}

export function PaperLine({ document }: { document: Document }) {
  const why = [document.reason, document.advice].filter(Boolean).join(" ");
  return (
    <>
      <span class="paper">
        <strong title={document.title || document.filename}>{document.title || document.filename}</strong>
        <span class="quiet small">{byline(document)}</span>
        {why && <span class="why small" lang="en">{why}</span>}
      </span>
      <Badge state={document.status} word={document.status} />
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
      {UNREAD.has(document.status) && <Act class="plain" act={reread}>{t("reread")}</Act>}
      <button type="button" class="plain careful" onClick={() => setAsking(true)} aria-label={`${t("remove")}: ${document.filename}`}>{t("remove")}</button>
      {asking && <Question title={t("remove")} text={t("removeAsk", { name: document.filename })} yes={t("yesDelete")} no={t("keep")} act={remove} close={() => setAsking(false)} />}
    </span>
  );
}
