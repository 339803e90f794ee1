// A word where papers do not look like what the template is for, from what was found in them and nothing else.
import { state } from "./results/values";
import type { FieldValue, Result } from "./shapes";
import { t, type Word } from "./words";

type Fields = Record<string, FieldValue | undefined>;
const TRIAL = ["n_randomised", "arms", "sequence_generation", "allocation_concealment"];
const SEEN = new Set(["found", "unsupported", "contradictory"]);
/** Fewer papers say nothing of a template. */
const ENOUGH = 3;

/** What a paper does not look like; nothing where it fits, or where the template does not tell. */
function unfit(fields: Fields): Word | null {
  if ("study_type_detected" in fields) return fields["study_type_detected"]?.value === "other" ? "fitNeither" : null;
  if ("sequence_generation" in fields) return TRIAL.some((name) => SEEN.has(state(fields[name]))) ? null : "fitTrials";
  if ("exposures" in fields) return fields["design"]?.value === "cross_sectional_not_cohort" ? "fitCohorts" : null;
  return null;
}

export function Fit({ rows }: { rows: Result[] }) {
  const read = rows.filter((row) => row.status === "completed" && row.extractedData?.fields);
  const words = read.map((row) => unfit(row.extractedData?.fields as Fields)).filter((word) => word !== null);
  if (read.length < ENOUGH || !words[0]) return null;
  return <p class="aside fit" role="status">{t(words[0], { n: words.length, all: read.length })}</p>;
}
