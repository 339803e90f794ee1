// What the API answers, by the names that the page uses. All from its OpenAPI document but for a row's data, which the
// API passes on as the worker stored it.
import type { components } from "../made/api";

type Schemas = components["schemas"];
export type Task = Schemas["Task"];
export type Result = Omit<Schemas["Result"], "extractedData" | "summary"> & {
  extractedData?: Payload | null;
  summary?: Summary | null;
};
export type Me = Schemas["Me"];
export type Base = Schemas["KnowledgeBase"];
export type Document = Schemas["Document"];
export type Upload = Schemas["Upload"];
export type Template = Schemas["TemplateSummary"];
export type Estimate = Schemas["Estimate"];
export type TemplateField = Schemas["TemplateField"];
export type TemplateInput = NonNullable<Schemas["Template"]["inputs"]>[number];

export type Match = "exact" | "fuzzy" | "not_found";
export type Evidence = {
  quote?: string | null;
  page?: number | null;
  start?: number | null;
  end?: number | null;
  match?: Match | null;
};
export type FieldValue = Evidence & {
  value: unknown;
  state: "reported" | "not_reported" | "unclear";
  evidence?: Evidence[];
};
export type Judgements = {
  toolUsed?: string | null;
  inputs?: Record<string, string | null>;
  rob2?: { domains?: Record<string, string | null>; overall?: string | null; manySomeConcerns?: boolean };
  nos?: {
    stars?: Record<string, number>;
    selection?: number;
    comparability?: number;
    outcome?: number;
    total?: number | null;
    level?: string | null;
    unanswered?: string[];
  };
};
export type Payload = {
  engine?: string;
  template?: string;
  studyId?: string | null;
  complete?: boolean;
  reasons?: string[];
  fields?: Record<string, FieldValue>;
  judgements?: Judgements;
};
export type Summary = { reported?: number; of?: number; unverified?: number; complete?: boolean; study?: string | null };

export const CLOSED = new Set<Task["status"]>(["completed", "cancelled"]);
