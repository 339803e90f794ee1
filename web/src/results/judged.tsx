// A judgement opened: what it is, and the answers that it was computed from, each leading to its evidence.
import type { Result, TemplateField } from "../shapes";
import { named, t, type Word } from "../words";
import { grounds, isJudgement, judged } from "./judgements";
import { evidence, shown, trust } from "./values";

type Props = { row: Result; field: TemplateField; columns: TemplateField[]; turn: (field: string) => void };

export function JudgementShown({ row, field, columns, turn }: Props) {
  const { text, tone } = judged(row, field.name);
  const from = grounds(field.name, columns);
  const hasStars = field.section === "judged.nos";
  return (
    <>
      <p class={`evidence-value judged ${tone}`}>{text}</p>
      <p class="quiet small">{t("judgedHow")} {t(hasStars ? "judgedNosHow" : "judgedRob2How")}</p>
      <h3 class="grounds-head">{t("judgedFrom")}</h3>
      <ol class="quotes grounds">
        {from.map((each) => (
          <li key={each.name}>
            <button type="button" class="quote" onClick={() => turn(each.name)}>
              <span class="ground"><span>{named(each)}</span><Ground row={row} field={each} /></span>
              {!isJudgement(each.name) && <Told row={row} field={each} />}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** What a judgement rests on, in a word: another judgement, or an answer and the star that it earned. */
function Ground({ row, field }: { row: Result; field: TemplateField }) {
  if (isJudgement(field.name)) {
    const { text, tone } = judged(row, field.name);
    return <b class={`judgement ${tone}`}>{text}</b>;
  }
  const star = row.extractedData?.judgements?.nos?.stars?.[field.name];
  const earned = star === undefined ? "" : ` · ${t(star ? "starOne" : "starNone")}`;
  return <b>{answer(row, field)}{earned}</b>;
}

const ANSWERS: Record<string, Word> = { Y: "answerY", PY: "answerPY", PN: "answerPN", N: "answerN", NI: "answerNI", NA: "answerNA" };

function answer(row: Result, field: TemplateField): string {
  const value = row.extractedData?.fields?.[field.name];
  if (value?.value === null || value?.value === undefined) return t("noAnswer");
  const word = field.name.startsWith("rob_") ? ANSWERS[String(value.value)] : undefined;
  return word ? t(word) : shown(value);
}

/** The quote that an answer has, or that it has none and so counts for nothing. */
function Told({ row, field }: { row: Result; field: TemplateField }) {
  const value = row.extractedData?.fields?.[field.name];
  const told = String(value?.value ?? "");
  const quote = evidence(value)[0]?.quote;
  const isDoubtful = told !== "" && !["NI", "NA"].includes(told) && trust(value) !== "verified";
  return (
    <>
      {quote && <q>{quote}</q>}
      {isDoubtful && <span class="small doubt">{t(field.name.startsWith("rob_") ? "countsAsNI" : "earnsNoStar")}</span>}
    </>
  );
}
