// Decisions on their way: each has an id of its own and is kept in this browser until its answer has come, whatever happens to the
// network, the key or the tab in between. Those of a row go one after another: each says which one it comes after.
import { Problem, ask, insist, isPassing } from "../api";
import { keep, keptObject } from "../kept";
import { useOutside } from "../outside";
import { said } from "../pieces";
import { client } from "../queries";
import * as session from "../session";
import type { Result } from "../shapes";
import type { Decision, How, Review, Verb } from "./decided";

export type Wanted = {
  id: string;
  address: string;
  verb: Verb;
  value?: unknown;
  quote?: string;
  page?: number;
  start?: number;
  end?: number;
  comment?: string;
  /** The id of the decision that it replaces. */
  before: string | null;
};
export type Conflict = { address: string; theirs: Decision | null };
export type Batch = {
  id: string;
  user: string;
  resultId: string;
  how: How;
  decisions: Wanted[];
  at: string;
  state: "saving" | "retry" | "conflict" | "refused";
  conflicts?: Conflict[];
  why?: string;
};
type Told = { review: Review };
type Post = (method: "post", path: string, asked: object) => Promise<{ body: Told }>;

const DECISIONS = "/api/v1/asl/extraction/results/{result_id}/decisions";
const place = (project: string) => `sheaf.decisions.${project}`;
const waiting = new Map<string, Batch[]>();
const watchers = new Set<() => void>();
const rows = new Map<string, Promise<void>>();
const NONE: Batch[] = [];

export const newId = (): string => crypto.randomUUID();

const current = (project: string): Batch[] => waiting.get(project) ?? NONE;

function set(project: string, all: Batch[]): void {
  waiting.set(project, all);
  for (const told of watchers) told();
}

/** Another tab has its own; each changes only what it has sent. */
function change(project: string, id: string, to: Batch | null): void {
  const others = (batches: Batch[]) => batches.filter((each) => each.id !== id);
  const at = current(project).findIndex((each) => each.id === id);
  const now = to && at >= 0 ? current(project).map((each) => (each.id === id ? to : each)) : [...others(current(project)), ...(to ? [to] : [])];
  set(project, now);
  const stored = Object.values(keptObject<Record<string, Batch>>(place(project)) ?? {});
  const rest = [...others(stored), ...(to && to.state !== "refused" ? [to] : [])].sort((a, b) => a.at.localeCompare(b.at));
  keep(place(project), rest.length ? JSON.stringify(Object.fromEntries(rest.map((each) => [each.id, each]))) : null);
}

export const useBatches = (project: string): Batch[] =>
  useOutside(() => current(project), (told) => {
    watchers.add(told);
    return () => watchers.delete(told);
  });

const me = (): string => session.current()?.username ?? "";

/** Send what was decided before a reload and not answered; nobody sends what another person decided. */
export function resume(project: string): void {
  const stored = Object.values(keptObject<Record<string, Batch>>(place(project)) ?? {});
  for (const batch of stored) {
    if (batch.user !== me() || current(project).some((each) => each.id === batch.id)) continue;
    if (batch.state === "conflict") set(project, [...current(project), batch]);
    else send(project, { ...batch, state: "saving" });
  }
}

/** Decide: shown at once, saved when the answer has come. */
export function decide(project: string, resultId: string, decisions: Wanted[], how: How = "one"): void {
  if (decisions.length) send(project, { id: newId(), user: me(), resultId, how, decisions, at: new Date().toISOString(), state: "saving" });
}

function send(project: string, batch: Batch): void {
  change(project, batch.id, batch);
  const before = rows.get(batch.resultId) ?? Promise.resolve();
  rows.set(batch.resultId, before.then(() => attempt(project, batch)));
}

/** What holds where something was taken back: known when its answer has come. */
const after = new Map<string, string | null>();

async function attempt(project: string, asked: Batch): Promise<void> {
  const decisions = asked.decisions.map((each) => (each.before && after.has(each.before) ? { ...each, before: after.get(each.before) ?? null } : each));
  const batch = { ...asked, decisions };
  // Kept as it is sent: the same id with another content is refused.
  if (decisions.some((each, at) => each !== asked.decisions[at])) change(project, batch.id, batch);
  const { how, resultId } = batch;
  try {
    const post = ask as unknown as Post;
    // Nobody sends what another person decided, whoever has signed in meanwhile.
    const mine = () => (batch.user === me() ? post("post", DECISIONS, { path: { result_id: resultId }, project, body: { how, decisions } }) : Promise.reject(new Problem(401, "signed-out", "", null, 0)));
    const { body } = await insist(mine, () => change(project, batch.id, { ...batch, state: "retry" }));
    for (const each of decisions) if (each.verb === "undo") after.set(each.id, body.review.cells[each.address]?.id ?? null);
    await settle(project, resultId, () => body.review);
    change(project, batch.id, null);
  } catch (error) {
    failed(project, batch, error);
  }
}

function failed(project: string, batch: Batch, error: unknown): void {
  // It stays kept: whoever decided it sends it when he has signed in again.
  if (error instanceof Problem && error.status === 401) return set(project, current(project).filter(({ id }) => id !== batch.id));
  if (isPassing(error)) return change(project, batch.id, { ...batch, state: "retry" });
  if (!(error instanceof Problem) || error.kind !== "decided-meanwhile") return change(project, batch.id, { ...batch, state: "refused", why: said(error) });
  const conflicts = (error.told["conflicts"] ?? []) as Conflict[];
  if (batch.how === "one") return change(project, batch.id, { ...batch, state: "conflict", conflicts });
  // Of a block, what others have read meanwhile is left as they left it.
  const rest = batch.decisions.filter((each) => !conflicts.some(({ address }) => address === each.address));
  change(project, batch.id, null);
  void settle(project, batch.resultId, (review) => patched(review, conflicts));
  if (rest.length && rest.length < batch.decisions.length) decide(project, batch.resultId, rest, "block");
}

function patched(review: Review | null | undefined, conflicts: Conflict[]): Review {
  const cells = { ...review?.cells };
  for (const { address, theirs } of conflicts) {
    if (theirs) cells[address] = theirs;
    else delete cells[address];
  }
  return { checked: review?.checked ?? 0, cells };
}

/** The row as it is now, in every table that shows it. One that is being fetched may be older: it is asked for anew. */
async function settle(project: string, resultId: string, review: (before: Review | null | undefined) => Review): Promise<void> {
  const tables = { queryKey: ["table", project] };
  const late = client.getQueryCache().findAll(tables).filter(({ state }) => state.fetchStatus === "fetching" && state.data !== undefined);
  for (const query of late) await client.cancelQueries({ queryKey: query.queryKey, exact: true });
  const changed = (row: Result) => (row.resultId === resultId ? { ...row, review: review(row.review) } : row);
  client.setQueriesData<Result[]>(tables, (found) => found?.map(changed));
  for (const query of late) void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  for (const key of ["history", "right", "tasks"]) void client.invalidateQueries({ queryKey: [key, project], refetchType: key === "history" ? "active" : "none" });
}

/** Two people decided on one cell: take the other's, or decide again, after having seen it. */
export function resolve(project: string, batch: Batch, isMine: boolean): void {
  const conflicts = batch.conflicts ?? [];
  change(project, batch.id, null);
  void settle(project, batch.resultId, (review) => patched(review, conflicts));
  const theirs = new Map(conflicts.map(({ address, theirs: found }) => [address, found?.id ?? null]));
  const again = batch.decisions.map((each) => ({ ...each, id: newId(), before: theirs.has(each.address) ? (theirs.get(each.address) ?? null) : each.before }));
  // What was to be taken back, and is gone, needs no second word.
  if (isMine) decide(project, batch.resultId, again.filter(({ verb, before }) => verb !== "undo" || before !== null), batch.how);
}

export const dismiss = (project: string, batch: Batch): void => change(project, batch.id, null);

/** What waits for its next try is woken by the same word as by the network. */
export const retryNow = (): boolean => dispatchEvent(new Event("online"));

const overlaid = new WeakMap<Result, { of: Batch[]; row: Result }>();

/** Rows with what is on its way laid over them. */
export function withBatches(all: Result[], batches: Batch[]): Result[] {
  const sending = batches.filter(({ state }) => state === "saving" || state === "retry");
  if (!sending.length) return all;
  return all.map((row) => {
    const own = sending.filter(({ resultId }) => resultId === row.resultId);
    if (!own.length) return row;
    const known = overlaid.get(row);
    if (known && known.of.length === own.length && known.of.every((each, at) => each === own[at])) return known.row;
    const cells = { ...row.review?.cells };
    for (const batch of own) for (const each of batch.decisions) cells[each.address] = { ...told(cells[each.address], each), by: "", at: batch.at, how: batch.how, sending: batch.state as "saving" | "retry" };
    const made = { ...row, review: { checked: row.review?.checked ?? 0, cells } };
    overlaid.set(row, { of: own, row: made });
    return made;
  });
}

/** A note beside a decision leaves it in force. */
const told = (before: Decision | undefined, { before: _, ...rest }: Wanted) =>
  rest.verb === "comment" && before ? { ...before, id: rest.id, comment: rest.comment ?? "" } : rest;
