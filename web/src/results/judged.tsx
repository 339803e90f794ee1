// A judgement opened: what it is, and the answers that it was computed from, each leading to its evidence.
import type { Result, TemplateField, TemplateInput } from "../shapes";
import { named, t, type Word } from "../words";
import { isChecked, seen } from "./decided";
import { grounds, isJudgement, judged, known, otherTool } from "./judgements";
import { evidence, plain, shown, state } from "./values";

type Props = {
  row: Result;
  field: TemplateField;
  columns: TemplateField[];
  inputs: TemplateInput[];
  turn: (field: string) => void;
};

const KIND = "study_type_detected";
const OUTCOME = "assessed_outcome";

export function JudgementShown({ row, field, columns, inputs, turn }: Props) {
  const { text, tone } = judged(row, field.name);
  const other = otherTool(row, field.name);
  const hasOutcome = !other && known(row, field.name).some(([name]) => name === "assessedOutcome");
  const more = columns.filter(({ name }) => name === KIND || (name === OUTCOME && hasOutcome));
  const from = [...(other ? [] : grounds(field.name, columns)), ...more];
  const hasStars = field.section === "judged.nos";
  const asked = answersOf(from, columns);
  const done = asked.filter((each) => isChecked(row, each)).length;
  return (
    <>
      <p class={`evidence-value judged ${tone}`}>{text}</p>
      {other ? (
        <p class="quiet small">{t("judgedElsewhere", { tool: other })}</p>
      ) : (
        <>
          <p class="quiet small">{t("judgedHow")} {t(hasStars ? "judgedNosHow" : "judgedRob2How")}</p>
          <Known row={row} field={field} inputs={inputs} />
        </>
      )}
      <h3 class="grounds-head">{t("judgedFrom")}{asked.length > 0 && " · "}{asked.length > 0 && <span class={done ? "tick" : "quiet"}>{t("answersChecked", { n: done, all: asked.length })}</span>}</h3>
      {asked.some((each) => isOther(row, each)) && <p class="small doubt">{t("judgedFromChecked")}</p>}
      <ol class="quotes grounds">
        {from.map((each) => (
          <li key={each.name}>
            <button type="button" class="quote" onClick={() => turn(each.name)}>
              <span class="ground"><span>{named(each)}</span><Ground row={row} field={each} /></span>
              {isQuestion(each) && <span class="small quiet" lang="en">{wording(each)}</span>}
              {!isJudgement(each.name) && <Told row={row} field={each} />}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** What the task said of the review, or that it left it to the engine. */
function Known({ row, field, inputs }: { row: Result; field: TemplateField; inputs: TemplateInput[] }) {
  const told = known(row, field.name);
  if (!told.length) return null;
  return (
    <dl class="known">
      {told.map(([name, text]) => {
        const input = inputs.find((each) => each.name === name);
        return (
          <div key={name}>
            <dt>{input ? named(input) : name}</dt>
            <dd class={text === null ? "quiet" : ""}>{text ?? t("leftToEngine")}</dd>
          </div>
        );
      })}
    </dl>
  );
}

const isQuestion = (field: TemplateField) => /^(rob|nos)_/.test(field.name);

/** The answers that a judgement rests on, through the judgements that it is made of. */
function answersOf(from: TemplateField[], columns: TemplateField[]): TemplateField[] {
  return from.flatMap((each) => (isJudgement(each.name) ? grounds(each.name, columns) : isQuestion(each) ? [each] : []));
}

/** Whether a person gave another answer than the one that was computed with. */
function isOther(row: Result, field: TemplateField): boolean {
  return plain(seen(row, field).value?.value) !== plain(row.extractedData?.fields?.[field.name]?.value);
}

/** The question, without the legend of its answers where the answer is written out beside it. */
function wording(field: TemplateField): string {
  const text = field.description ?? "";
  return field.name.startsWith("rob_") ? text.replace(/ Y yes, .*$/, "") : text;
}

/** What a judgement rests on, in a word: another judgement, or an answer and the star that it earned. */
function Ground({ row, field }: { row: Result; field: TemplateField }) {
  if (isJudgement(field.name)) {
    const { text, tone } = judged(row, field.name);
    return <b class={`judgement ${tone}`}>{text}</b>;
  }
  const star = row.extractedData?.judgements?.nos?.stars?.[field.name];
  const earned = star === undefined ? "" : ` · ${t(star ? "starOne" : "starNone")}`;
  return <b>{isChecked(row, field) && <span class="tick">✓<span class="unseen"> {t("checked")} </span></span>} {answer(row, field)}{earned}</b>;
}

const ANSWERS: Record<string, Word> = { Y: "answerY", PY: "answerPY", PN: "answerPN", N: "answerN", NI: "answerNI", NA: "answerNA" };

function answer(row: Result, field: TemplateField): string {
  const { value, isChecked: isDone } = seen(row, field);
  if (value?.value === null || value?.value === undefined) return t(isDone ? "not_reported" : "noAnswer");
  const word = field.name.startsWith("rob_") ? ANSWERS[String(value.value)] : undefined;
  return word ? t(word) : shown(value, field);
}

/** The quote that an answer has, or that it has none and so counts for nothing. */
function Told({ row, field }: { row: Result; field: TemplateField }) {
  const value = row.extractedData?.fields?.[field.name];
  const told = String(value?.value ?? "");
  const quote = evidence(value)[0]?.quote;
  const isDoubtful = isQuestion(field) && told !== "" && !["NI", "NA"].includes(told) && state(value) !== "found";
  return (
    <>
      {quote && <q>{quote}</q>}
      {isDoubtful && <span class="small doubt">{t(field.name.startsWith("rob_") ? "countsAsNI" : "earnsNoStar")}</span>}
    </>
  );
}
