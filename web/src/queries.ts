// Server state: what is asked, how often, and when it is asked no more.
import { QueryClient, useQuery, useQueryClient } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { type Told, ask, body, isPassing } from "./api";
import { RULES } from "./costs";
import { isWanted } from "./live";
import { CLOSED, type Document, type Result, type Task, total } from "./shapes";

export const TASKS = "/api/v1/asl/extraction/tasks";
export const BASES = "/api/v1/pkb/knowledge-bases";
export const POLL_MS = 5_000;
/** Rows no more often than this: with the looks at their task that is 20 requests a minute at most. */
const ROWS_MS = 10_000;
/** The first looks come sooner: a small task is done in seconds. */
const SOON_MS = 3_000;
const SOON = 2;
const ROWS_SOON_MS = 2_000;
const ROWS_SOON = 3;
const BEHIND_MS = 30_000;
const LONGEST_MS = 60_000;
const RECOVER_MS = 15_000;

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      retry: (failures, error) => isPassing(error) && failures < 4,
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, LONGEST_MS),
      // What has failed and may pass is asked for again, so that nobody has to press anything.
      refetchInterval: (query) => (isPassing(query.state.error) ? RECOVER_MS : false),
      staleTime: 30_000,
    },
  },
});

const me = () => body("get", "/api/v1/me", {});
export const useMe = (user: string) => useQuery({ queryKey: ["me", user], queryFn: me, staleTime: 300_000 });

/** One of the limits that the deployment has told; none while it has not. */
export function limit(name: string): number {
  const told = client.getQueriesData<Awaited<ReturnType<typeof me>>>({ queryKey: ["me"] });
  return told.map(([, found]) => found?.limits[name]).find((each) => each !== undefined) ?? Infinity;
}

const seen = new Map<string, Told<Task>>();
const failures = new Map<string, number>();

async function look(project: string, id: string): Promise<Task> {
  const before = seen.get(id);
  try {
    const told = await ask("get", `${TASKS}/{task_id}`, { path: { task_id: id }, project, tag: before?.tag ?? null });
    failures.delete(id);
    if (told.unchanged && before) return before.body;
    const newest = { ...told, body: newer(before?.body, told.body) };
    seen.set(id, newest);
    return newest.body;
  } catch (error) {
    failures.set(id, (failures.get(id) ?? 0) + 1);
    throw error;
  }
}

/** The later count of two: one that was made before the one shown would turn the bar back. */
function newer(before: Task | undefined, now: Task): Task {
  if (!before || CLOSED.has(now.status) || Date.parse(now.asOf) >= Date.parse(before.asOf)) return now;
  const { pendingCount, extractingCount, completedCount, errorCount, cancelledCount, percent, asOf } = before;
  return { ...now, pendingCount, extractingCount, completedCount, errorCount, cancelledCount, percent, asOf };
}

/** A task, looked at every three seconds while it runs and somebody looks; less often while there is no answer. */
export function useTask(project: string, id: string) {
  return useQuery({
    queryKey: ["task", project, id],
    queryFn: () => look(project, id),
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: (query) => isOpen(query.state.data),
    refetchOnReconnect: (query) => isOpen(query.state.data) || query.state.status === "error",
    refetchInterval: (query) => {
      const error = query.state.error;
      if (error && !isPassing(error)) return false;
      if (!isOpen(query.state.data)) return false;
      const usual = document.hidden ? BEHIND_MS : query.state.dataUpdateCount <= SOON ? SOON_MS : POLL_MS;
      return Math.min(usual * 2 ** (failures.get(id) ?? 0), LONGEST_MS);
    },
    refetchIntervalInBackground: isWanted(id),
  });
}

/** The first of a task's chain of retries: in its table all of them stand together. */
export async function firstOf(project: string, task: Task): Promise<string> {
  let first = task;
  while (first.retryOf) {
    const asked = { path: { task_id: first.retryOf }, project };
    const parent = await body("get", `${TASKS}/{task_id}`, asked).catch(() => null);
    if (!parent) break;
    first = parent;
  }
  return first.taskId;
}

export const useFirst = (project: string, task: Task) =>
  useQuery({
    queryKey: ["first", project, task.taskId],
    queryFn: () => firstOf(project, task),
    enabled: task.retryOf !== undefined,
    staleTime: Infinity,
  });

const isOpen = (task: Task | undefined) => !task || !CLOSED.has(task.status);

export function useFresh() {
  const queries = useQueryClient();
  return (...key: string[]) => queries.invalidateQueries({ queryKey: key });
}

const names = (project: string, task: string) => ["names", project, task];

/** The names of a task's papers as they were sent: shown until its rows have come. */
export const remember = (project: string, task: string, papers: string[]) => client.setQueryData(names(project, task), papers);
export const remembered = (project: string, task: string) => client.getQueryData<string[]>(names(project, task)) ?? [];

type Rows = { results: Result[]; nextCursor: string | null };
/** Pages of a closed task's table, with what says that they are still the same. */
const tagged = new Map<string, { tag: string; rows: Rows }>();

async function page(project: string, id: string, cursor: string, latest: boolean, signal: AbortSignal): Promise<Rows> {
  const query = { ...(cursor ? { cursor } : {}), ...(latest ? { view: "latest" as const } : {}) };
  const name = `${id}/${cursor}/${latest}`;
  const before = tagged.get(name);
  const asked = { path: { task_id: id }, query, project, signal, patient: true, tag: before?.tag ?? null };
  const { body: told, tag, unchanged } = await ask("get", `${TASKS}/{task_id}/results`, asked);
  if (unchanged && before) return before.rows;
  const rows = { results: told.results as Result[], nextCursor: told.nextCursor ?? null };
  // Of one task at a time: tables are large.
  for (const other of tagged.keys()) if (!other.startsWith(`${id}/`)) tagged.delete(other);
  if (tag) tagged.set(name, { tag, rows });
  return rows;
}

const LOOK_MS = 15_000;
/** A list of more of them says nothing to anybody; the table has all. */
export const SHOWN_ROWS = 150;
const settled = new Map<string, Rows>();
const DONE = new Set(["completed", "error", "cancelled"]);

/** The first rows of a task that runs, of those pages only that may have changed. */
async function running(project: string, id: string, signal: AbortSignal): Promise<Result[]> {
  const rows: Result[] = [];
  let cursor: string | null = "";
  while (cursor !== null && rows.length < SHOWN_ROWS) {
    const name = `${id}/${cursor}`;
    const found: Rows = settled.get(name) ?? (await page(project, id, cursor, false, signal));
    if (found.results.length && found.results.every((row) => DONE.has(row.status))) settled.set(name, found);
    rows.push(...found.results);
    cursor = found.nextCursor;
  }
  return rows;
}

const AT_ONCE_MS = 100;

/** The rows of a running task, anew when its counts have changed, and less often the more rows there are. */
export function useRunningRows(project: string, task: Task) {
  const counts = `${task.extractingCount}/${task.completedCount}/${task.errorCount}/${task.cancelledCount}`;
  const spell = total(task) <= SHOWN_ROWS ? ROWS_MS : Math.max(ROWS_MS, total(task) * 20);
  return useQuery({
    queryKey: ["running", project, task.taskId],
    // `of` is what was counted before the rows were asked for: they are as new as that at least.
    queryFn: async ({ signal }) => ({ of: counts, rows: await running(project, task.taskId, signal) }),
    refetchInterval: ({ state }) => {
      if (isPassing(state.error)) return RECOVER_MS;
      // What is at work behind a model says which of its steps it is at, and no count tells that.
      const isTelling = task.extractingCount > 0 && task.engine !== RULES;
      if (!state.data || (state.data.of === counts && !isTelling)) return false;
      return Math.max(AT_ONCE_MS, state.dataUpdatedAt + (state.dataUpdateCount <= ROWS_SOON ? ROWS_SOON_MS : spell) - Date.now());
    },
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

/** More rows than this are drawn first by what stands in their cells. */
const SCREEN_ROWS = 12;

/** What a table draws before its rows have come. */
async function glance(project: string, id: string, signal: AbortSignal): Promise<Result[]> {
  const asked = { path: { task_id: id }, query: { view: "latest,glance" as const }, project, signal, patient: true };
  const told = await body("get", `${TASKS}/{task_id}/results`, asked);
  return (told.results as Result[]).map((row) => ({ ...row, isGlance: true }));
}

/** The finished table: each row as the retries have left it. What has come so far is shown while the rest comes. */
export function useTable(project: string, task: Task) {
  const queries = useQueryClient();
  const key = ["table", project, task.taskId, task.status];
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const soFar = [...key, "so far"];
      // Before the rest and not beside it: on a slow link that would take its place.
      if (total(task) > SCREEN_ROWS && !queries.getQueryData(key)) queries.setQueryData(soFar, await glance(project, task.taskId, signal));
      let rows: Result[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const found: Rows = await page(project, task.taskId, cursor, true, signal);
        // What was decided while this page came stands in those that are shown.
        rows = [...(rows.length ? (queries.getQueryData<Result[]>(soFar) ?? rows) : []), ...found.results];
        cursor = found.nextCursor;
        if (cursor !== null) queries.setQueryData(soFar, rows);
      }
      return rows;
    },
    staleTime: 10_000,
    refetchInterval: ({ state }) => (isPassing(state.error) ? RECOVER_MS : isOpen(task) ? Math.max(LOOK_MS, total(task) * 50) : false),
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  });
}

export function useTableSoFar(project: string, task: Task) {
  const key = ["table", project, task.taskId, task.status, "so far"];
  return useQuery<Result[]>({ queryKey: key, queryFn: () => [], enabled: false }).data;
}

export const useTemplates = (project: string) =>
  useQuery({
    queryKey: ["templates", project],
    queryFn: () => body("get", "/api/v1/asl/extraction/templates", { project }),
    staleTime: 300_000,
  });

export const useTemplate = (project: string, id: string | null) =>
  useQuery({
    queryKey: ["template", project, id],
    queryFn: () =>
      body("get", "/api/v1/asl/extraction/templates/{template_id}", {
        path: { template_id: id ?? "" },
        project,
      }),
    enabled: id !== null,
    staleTime: Infinity,
  });

/** The columns of a task's table, as it pinned them: they stay when the template is deleted. */
export const useTaskTemplate = (project: string, task: string | null) =>
  useQuery({
    queryKey: ["task-template", project, task],
    queryFn: () => body("get", `${TASKS}/{task_id}/template`, { path: { task_id: task ?? "" }, project }),
    enabled: task !== null,
    staleTime: Infinity,
  });

export const useBases = (project: string, enabled = true) =>
  useQuery({ queryKey: ["bases", project], queryFn: async () => (await body("get", BASES, { project })).knowledgeBases, enabled });

/** The longer the list, the more seldom; pages on which nothing is being read are asked for once a minute. */
const BUSY_MS = 3_000;
const BUSY = new Set(["uploading", "reading"]);
const STILL_MS = 60_000;
type Papers = { documents: Document[]; nextCursor?: string | null };
const still = new Map<string, { at: number; told: Papers }>();

/** All papers of a knowledge base, looked at again while any is still being read, unless only their names are wanted. */
export function useDocuments(project: string, base: string | null, isWatched = true) {
  const queries = useQueryClient();
  const key = ["documents", project, base];
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      // Somebody changed one of them: all are asked for.
      if (!queries.getQueryData(key) || queries.getQueryState(key)?.isInvalidated) still.clear();
      const found = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const name = `${project}/${base}/${cursor}`;
        const known = still.get(name);
        const isStill = known !== undefined && Date.now() - known.at < STILL_MS;
        const query: { cursor?: string } = cursor ? { cursor } : {};
        const asked = { path: { base_id: base ?? "" }, query, project, signal };
        const told: Papers = isStill ? known.told : ((await body("get", `${BASES}/{base_id}/documents`, asked)) as Papers);
        if (!isStill) still.set(name, { at: told.documents.some((each) => BUSY.has(each.status)) ? 0 : Date.now(), told });
        found.push(...told.documents);
        cursor = told.nextCursor ?? null;
      }
      return found;
    },
    enabled: base !== null,
    refetchInterval: ({ state }) =>
      isPassing(state.error) ? RECOVER_MS : isWatched && state.data?.some((each) => BUSY.has(each.status)) ? Math.max(BUSY_MS, state.data.length * 20) : false,
  });
}

/** A list of more papers is long on its way: their studies are called what was found. */
const LABELLED_MOST = 1_000;

/** What people call the studies of a task's knowledge base, and what its papers' titles are, once its rows are there. */
export function useLabels(project: string, task: Task, isThere: boolean) {
  const base = useBases(project).data?.find((each) => each.knowledgeBaseId === task.knowledgeBaseId);
  const id = base && (base.documentCount ?? 0) <= LABELLED_MOST ? base.knowledgeBaseId : null;
  const documents = useDocuments(project, isThere ? id : null, false).data;
  return useMemo(() => ({ base: id, labels: by(documents, "label"), titles: by(documents, "title") }), [id, documents]);
}

function by(documents: Document[] | undefined, name: "label" | "title"): Map<string, string> {
  const found = new Map<string, string>();
  for (const each of documents ?? []) if (each[name]) found.set(each.documentId, each[name]);
  return found;
}

const called = new WeakMap<Result, Result>();

/** Rows with their studies' labels; each the same row until one of the two changes. */
export function labelled(rows: Result[], labels: Map<string, string>): Result[] {
  if (!labels.size) return rows;
  return rows.map((row) => {
    const label = labels.get(row.documentId);
    if (!label) return row;
    const before = called.get(row);
    if (before?.label === label) return before;
    const made = { ...row, label };
    called.set(row, made);
    return made;
  });
}
