// Search in the paper that is open, through all of its pages.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useQuery } from "@tanstack/preact-query";
import { body } from "../api";
import { said } from "../pieces";
import type { Evidence, Result } from "../shapes";
import { t } from "../words";

const TEXT = "/api/v1/asl/extraction/results/{result_id}/text";
const MOST_HITS = 500;

type Page = { number: number; text: string };

/** As many pages as fit into one answer; where there are more, each of those by itself. */
async function whole(project: string, row: Result): Promise<Page[]> {
  const get = (query: { page?: number }) => body("get", TEXT, { path: { result_id: row.resultId }, query, project });
  const { pages, nextPage, pageCount } = await get({});
  const found: Page[] = [...pages];
  for (let next = nextPage; next && next <= pageCount; next += 1) found.push(...(await get({ page: next })).pages);
  return found;
}

/** Every place of these words, however the lines break between them. */
function hits(pages: Page[], wanted: string): Evidence[] {
  const words = wanted.trim().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "giu");
  return pages.flatMap(({ number, text }) => [...text.matchAll(pattern)].map((found) => {
    const start = [...text.slice(0, found.index)].length;
    return { quote: found[0], page: number, start, end: start + [...found[0]].length, match: "exact" as const };
  })).slice(0, MOST_HITS);
}

export function Search({ project, row, found, close }: { project: string; row: Result; found: (hit: Evidence | null) => void; close: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const pages = useQuery({ queryKey: ["whole", project, row.resultId], queryFn: () => whole(project, row), staleTime: Infinity, retry: 1 });
  const all = useMemo(() => hits(pages.data ?? [], text), [pages.data, text]);
  useEffect(() => setAt(0), [text, row.resultId]);
  useEffect(() => found(all[at] ?? null), [all, at]);
  useEffect(() => () => found(null), []);
  const step = (by: number) => all.length && setAt((now) => (now + by + all.length) % all.length);
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") close();
    else step(event.shiftKey ? -1 : 1);
  };
  const told = pages.isError ? said(pages.error) : pages.isPending ? t("searching") : !text.trim() ? "" : all.length ? t("searchHits", { n: at + 1, all: all.length }) : t("searchNone");
  return (
    <div class="search-paper" role="search">
      <input ref={field} type="search" aria-label={t("searchPaper")} placeholder={t("searchPaper")} value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={key} />
      <span class="small" role="status">{told}</span>
      <button type="button" class="icon" aria-label={t("previousHit")} title={t("previousHit")} aria-disabled={!all.length} onClick={() => step(-1)}>↑</button>
      <button type="button" class="icon" aria-label={t("nextHit")} title={t("nextHit")} aria-disabled={!all.length} onClick={() => step(1)}>↓</button>
      <button type="button" class="icon" aria-label={t("close")} title={t("close")} onClick={close}>×</button>
    </div>
  );
}
