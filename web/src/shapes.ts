// What the API answers, by the names that the page uses, all from its OpenAPI document. A row's data is there typed for each
// template and kind of work; the page reads that of any template, and may meet a kind that has none of its fields.
import type { components } from "../made/api";
import type { Review } from "./results/decided";

export type Schemas = components["schemas"];
export type Task = Schemas["Task"];
export type Result = Omit<Schemas["Result"], "extractedData" | "summary" | "review"> & {
  extractedData?: Partial<Schemas["PaperData"]> | null;
  summary?: Partial<Schemas["PaperSummary"]> | null;
  /** What people have decided on its cells. */
  review?: Review | null;
  /** What people call the study. */
  label?: string;
  /** Its texts are cut and its quotes not there yet. */
  isGlance?: true;
};
export type Me = Schemas["Me"];
export type Base = Schemas["KnowledgeBase"];
export type Document = Schemas["Document"];
export type Upload = Schemas["Upload"];
export type Template = Schemas["TemplateSummary"];
export type Estimate = Schemas["Estimate"];
export type TemplateField = Schemas["TemplateField"];
export type TemplateInput = NonNullable<Schemas["Template"]["inputs"]>[number];

export type Evidence = Partial<Schemas["Evidence"]>;
export type FieldValue = Schemas["Value"];
export type Entry = Schemas["Entry"];
export type State = FieldValue["state"];
export const STATES: readonly State[] = ["found", "unsupported", "contradictory", "not_found", "not_attempted", "not_reported"];
export type Judgements = Schemas["Judgements"];

export const CLOSED = new Set<Task["status"]>(["completed", "cancelled", "failed"]);

/** How many rows a task has, as far as that is known: its documents may be gathered still. */
export const total = (task: Task): number => task.totalCount ?? 0;
