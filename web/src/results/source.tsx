// A paper as it was read: the page of the PDF, or the text that was read of it, with a quote marked. T turns from one to the other.
import { useQuery } from "@tanstack/preact-query";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import { body } from "../api";
import { Boundary } from "../boundary";
import { keep, kept } from "../kept";
import { said, Waiting } from "../pieces";
import type { Evidence, Result } from "../shapes";
import { type Word, t } from "../words";
import { center } from "./center";
import { type Picked, usePicked } from "./picking";

const RESULT = "/api/v1/asl/extraction/results/{result_id}";
/** A link to a file is good for longer than that. */
const LINK_MS = 600_000;
const Pdf = lazy(() => import("./pdf"));

/** `pick` takes what is selected as a quote. */
type SourceProps = { project: string; row: Result; quote: Evidence | null; page: number; setPage: (page: number) => void; pick?: ((picked: Picked) => void) | undefined };

export function Source({ project, row, quote, page, setPage, pick }: SourceProps) {
  const box = useRef<HTMLDivElement>(null);
  const file = useQuery({
    queryKey: ["file", project, row.resultId],
    queryFn: () => body("get", `${RESULT}/file`, { path: { result_id: row.resultId }, project }),
    staleTime: LINK_MS,
    refetchInterval: LINK_MS,
    retry: 1,
  });
  const text = useQuery({
    queryKey: ["text", project, row.resultId, page],
    queryFn: () => body("get", `${RESULT}/text`, { path: { result_id: row.resultId }, query: { page }, project }),
    staleTime: Infinity,
    placeholderData: (before) => before,
    retry: 1,
  });
  const isPdf = file.data?.contentType === "application/pdf";
  const [side, setSide] = useSide();
  const [zoom, setZoom] = useState(0);
  const [isMarked, setMarked] = useState(true);
  const isShownPdf = isPdf && side === "pdf";
  const here = quote?.page === page ? quote : null;
  const pages = text.data?.pageCount ?? 0;
  const found = text.data?.pages.find((each) => each.number === page);
  const picked = usePicked(box, found?.text ?? "", page);
  return (
    <div class="source" ref={box}>
      {pick && picked && (
        <p class="picked-quote">
          <q>{picked.quote}</q>
          {/* The selection stays while it is pressed. */}
          <button type="button" class="first" onMouseDown={(event) => event.preventDefault()} onClick={() => (pick(picked), getSelection()?.removeAllRanges())}>{t("useAsQuote")}</button>
        </p>
      )}
      <div class="source-bar">
        <div class="pager">
          <button type="button" class="icon" disabled={page <= 1} aria-label={t("previous")} title={t("previous")} onClick={() => setPage(page - 1)}>‹</button>
          <span>{found?.label || t("pageOf", { n: page, all: pages || "…" })}</span>
          <button type="button" class="icon" disabled={!pages || page >= pages} aria-label={t("next")} title={t("next")} onClick={() => setPage(page + 1)}>›</button>
        </div>
        {isPdf && (
          <div class="filters" role="group">
            <button type="button" aria-pressed={side === "pdf"} onClick={() => setSide("pdf")}>{t("pdf")}</button>
            <button type="button" aria-pressed={side === "text"} aria-keyshortcuts="t" onClick={() => setSide("text")}>{t("text")}</button>
          </div>
        )}
        {isShownPdf && <Zoom zoom={zoom} set={setZoom} />}
        {file.data && <a href={isPdf ? `${file.data.url}#page=${page}` : file.data.url} target="_blank" rel="noreferrer">{t("openFile")}</a>}
      </div>
      {isShownPdf && file.data ? (
        <div class="source-pdf" tabIndex={0} role="region" aria-label={t("pdf")}>
          <Boundary at={row.resultId}>
            <Suspense fallback={<Waiting rows={10} />}>
              <Pdf url={file.data.url} page={page} zoom={ZOOMS[zoom] ?? 1} quote={here?.quote ?? ""} told={setMarked} />
            </Suspense>
          </Boundary>
        </div>
      ) : (
        <div class="source-text" tabIndex={0} role="region" aria-label={t("text")}>
          {!found && text.isFetching && <Waiting rows={10} />}
          {text.isError && <p class="quiet">{t("noText", { reason: said(text.error) })}</p>}
          {found && <Text text={found.text} mark={here} />}
        </div>
      )}
      {isShownPdf && here?.quote && !isMarked && <p class="quiet small">{t("notMarked")} <button type="button" class="plain" onClick={() => setSide("text")}>{t("text")}</button></p>}
      {file.data && !isPdf && <p class="quiet small">{t("noPdf")}</p>}
    </div>
  );
}

const KEPT = "sheaf.source";
type Side = "text" | "pdf";

/** Which of the two is looked at; it stays for the next paper. */
function useSide() {
  const [side, set] = useState<Side>(() => (kept(KEPT) === "text" ? "text" : "pdf"));
  const choose = (chosen: Side) => {
    keep(KEPT, chosen);
    set(chosen);
  };
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === "t" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) choose(side === "pdf" ? "text" : "pdf");
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  return [side, choose] as const;
}

const isTyping = (event: Event): boolean => (event.target as Element).matches?.("input, select, textarea, [contenteditable]");

const ZOOMS = [1, 1.5, 2, 3];

/** How large the PDF's page is drawn: as wide as there is room, or so many times that. */
function Zoom({ zoom, set }: { zoom: number; set: (zoom: number) => void }) {
  const button = (word: Word, sign: string, to: number) => (
    <button type="button" class="icon" disabled={ZOOMS[to] === undefined} aria-label={t(word)} title={t(word)} onClick={() => set(to)}>{sign}</button>
  );
  return (
    <div class="pager zoom">
      {button("zoomOut", "−", zoom - 1)}
      <span>{100 * (ZOOMS[zoom] ?? 1)} %</span>
      {button("zoomIn", "+", zoom + 1)}
    </div>
  );
}

function Text({ text, mark }: { text: string; mark: Evidence | null }) {
  const here = useRef<HTMLElement>(null);
  const start = mark?.start ?? null;
  const end = mark?.end ?? null;
  useEffect(() => {
    const pane = here.current?.closest(".source-text");
    if (!pane) return undefined;
    // What stands above may come late, or be opened: the mark stays in view.
    const sized = new ResizeObserver(() => center(here.current, ".source-text"));
    sized.observe(pane);
    return () => sized.disconnect();
  }, [text, start]);
  const shown = joined(text);
  if (start === null || end === null) return <p class="page-text">{shown}</p>;
  // Offsets count characters; JavaScript's own count halves of them beyond U+FFFF.
  const letters = [...shown];
  return (
    <p class="page-text">
      {letters.slice(0, start).join("")}
      <mark ref={here}>{letters.slice(start, end).join("")}</mark>
      {letters.slice(end).join("")}
    </p>
  );
}

/** Full lines run on, as wide as there is room; every letter keeps its place. Short ones are heads, or of a table. */
const joined = (text: string): string => text.replace(/(?<=[^\n|]{40})\n(?=[^\n])/g, " ");
