// What is asked of the API about workbooks, how often, and when it is asked no more.
import { useQuery } from "@tanstack/preact-query";
import { body as typedBody, isPassing } from "../api";
import { client } from "../queries";
import type { Form } from "../upload";
import type { Edit, Links, Preview, SessionView, StatusView, Whole } from "./shapes";

type Asked = { project: string; path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown; key?: string; signal?: AbortSignal; patient?: boolean };
const body = typedBody as unknown as <B>(method: string, path: string, asked: Asked) => Promise<B>;

const SESSIONS = "/api/v1/dc/sessions";
const SESSION = `${SESSIONS}/{session_id}`;
const on = (project: string, id: string) => ({ project, path: { session_id: id } });

export type Announced = { session: SessionView; upload: Form };
export const announce = (project: string, key: string, file: { filename: string; size: number; sha256: string }) =>
  body<Announced>("post", SESSIONS, { project, key, body: file });
export const remove = (project: string, id: string) => body<void>("delete", SESSION, on(project, id));
export const links = (project: string, id: string) => body<Links>("get", `${SESSION}/data`, { ...on(project, id), patient: true });
export const save = (project: string, id: string, key: string, edit: Edit) => body<StatusView>("put", `${SESSION}/data`, { ...on(project, id), key, body: edit });
export const ROWS = 200;
export const preview = (project: string, id: string, sheet: number, offset: number, signal?: AbortSignal) =>
  body<Preview>("get", `${SESSION}/preview`, { ...on(project, id), query: { sheet, offset, rows: ROWS }, patient: true, ...(signal ? { signal } : {}) });

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
    queryFn: () => body<StatusView>("get", `${SESSION}/status`, on(project, id)),
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
export const look = (project: string, id: string) => client.fetchQuery({ queryKey: ["sheet-status", project, id], queryFn: () => body<StatusView>("get", `${SESSION}/status`, on(project, id)), staleTime: 0 });

export const useSessions = (project: string) =>
  useQuery({
    queryKey: ["sheets", project],
    queryFn: async () => (await body<{ sessions: SessionView[] }>("get", SESSIONS, { project })).sessions,
    staleTime: 0,
  });

export const useSession = (project: string, id: string) =>
  useQuery({ queryKey: ["sheet", project, id], queryFn: () => body<Whole>("get", SESSION, { ...on(project, id), patient: true }), staleTime: 30_000 });

export const fresh = (project: string, id?: string) =>
  Promise.all([client.invalidateQueries({ queryKey: ["sheets", project] }), id && client.invalidateQueries({ queryKey: ["sheet", project, id] })]);
