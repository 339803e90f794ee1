// What is asked of the API about workbooks, how often, and when it is asked no more.
import { useQuery } from "@tanstack/preact-query";
import { body, isPassing } from "../api";
import { client } from "../queries";
import type { Edit, Preview, StatusView, Whole } from "./shapes";

const SESSIONS = "/api/v1/dc/sessions";
const SESSION = `${SESSIONS}/{session_id}` as const;
const on = (project: string, id: string) => ({ project, path: { session_id: id } });

export const announce = (project: string, key: string, file: { filename: string; size: number; sha256: string }) =>
  body("post", SESSIONS, { project, key, body: file });
export const remove = (project: string, id: string) => body("delete", SESSION, on(project, id));
export const links = (project: string, id: string) => body("get", `${SESSION}/data` as const, { ...on(project, id), patient: true });
export const save = (project: string, id: string, key: string, edit: Edit) => body("put", `${SESSION}/data` as const, { ...on(project, id), key, body: edit });
export const ROWS = 200;
const part = (project: string, id: string, query: { sheet: number; offset: number; rows: number }, signal?: AbortSignal) =>
  body("get", `${SESSION}/preview` as const, { ...on(project, id), query, patient: true, ...(signal ? { signal } : {}) });

/** A block of rows; of a wide table one answer holds fewer. */
export async function preview(project: string, id: string, sheet: number, offset: number, signal?: AbortSignal): Promise<Preview> {
  const found = await part(project, id, { sheet, offset, rows: ROWS }, signal);
  const whole = Math.min(ROWS, found.total - offset);
  while (found.rows.length < whole) {
    const more = await part(project, id, { sheet, offset: offset + found.rows.length, rows: whole - found.rows.length }, signal);
    if (!more.rows.length || more.version !== found.version) return { ...found, version: more.version };
    found.rows.push(...more.rows);
  }
  return found;
}

const RECOVER_MS = 15_000;
const SOON_MS = 1_000;
const LOOK_MS = 2_000;
/** After a minute of looks. */
const LATE_MS = 5_000;
const SOON = 5;
const LATE = 30;

export const isUnderWay = (status: StatusView | undefined): boolean => status?.status === "processing" || status?.save?.status === "processing";

/** Where it stands, looked at until it stands still; not behind other tabs. */
export function useStatus(project: string, id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["sheet-status", project, id],
    queryFn: () => body("get", `${SESSION}/status` as const, on(project, id)),
    enabled,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.error) return isPassing(state.error) ? RECOVER_MS : false;
      if (!isUnderWay(state.data)) return false;
      return state.dataUpdateCount <= SOON ? SOON_MS : state.dataUpdateCount <= LATE ? LOOK_MS : LATE_MS;
    },
  });
}

export const told = (project: string, status: StatusView) => client.setQueryData(["sheet-status", project, status.sessionId], status);
export const look = (project: string, id: string) => client.fetchQuery({ queryKey: ["sheet-status", project, id], queryFn: () => body("get", `${SESSION}/status` as const, on(project, id)), staleTime: 0 });

export const useSessions = (project: string) =>
  useQuery({
    queryKey: ["sheets", project],
    queryFn: async () => (await body("get", SESSIONS, { project })).sessions,
    staleTime: 0,
  });

export const useSession = (project: string, id: string) =>
  useQuery({ queryKey: ["sheet", project, id], queryFn: () => body("get", SESSION, { ...on(project, id), patient: true }) as Promise<Whole>, staleTime: 30_000 });

export const fresh = (project: string, id?: string) =>
  Promise.all([client.invalidateQueries({ queryKey: ["sheets", project] }), id && client.invalidateQueries({ queryKey: ["sheet", project, id] })]);
