// How right the engine was on a task's papers, as the server counts it: from what people have decided one by one.
import { body } from "../api";
import { TASKS } from "../queries";

export type Share = { share: number; low: number; high: number };
export type Figures = { cells: number; checked: number; byBlock: number; agreed: number; corrected: number; wrong: number; missed: number; right: Share | null };
export type Told = { cells: number; checked: number; byBlock: number; fields: Record<string, Figures> };
type Get = (method: "get", path: string, asked: object) => Promise<Told>;

export function figures(project: string, task: string): Promise<Told> {
  return (body as unknown as Get)("get", `${TASKS}/{task_id}/review`, { path: { task_id: task }, project, patient: true });
}
