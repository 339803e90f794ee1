// What does not add up on a row, in words. The worker says each as `field:reason`.
import type { Result, TemplateField } from "../shapes";
import { named, t } from "../words";

/** `field` is the column to look at, where there is one. */
export type Reason = { text: string; field: string | null };

export function reasons(row: Result, columns: TemplateField[]): Reason[] {
  return (row.extractedData?.doubts ?? []).map((told) => read(told, columns));
}

function read(told: string, columns: TemplateField[]): Reason {
  const [name = "", why = ""] = told.split(":", 2);
  const label = (of: string) => {
    const column = columns.find((each) => each.name === of);
    return column ? named(column) : of;
  };
  const column = columns.some((each) => each.name === name) ? name : null;
  return { text: worded(told, name, why, label), field: column };
}

function worded(told: string, name: string, why: string, label: (of: string) => string): string {
  if (told === "paper:truncated") return t("whyPaperCut");
  if (told === "paper:retraction") return t("whyRetraction");
  if (why === "cut_short") return t("whyCutShort", { field: label(name) });
  if (why === "fewer_than_stated") return t("whyFewer", { field: label(name) });
  const sum = /^(\w+)_do_not_add_up$/.exec(why)?.[1];
  if (sum) return t("whySum", { field: label(name), other: label(sum) });
  const more = /^more_than_(\w+)$/.exec(why)?.[1];
  if (more) return t("whyMore", { field: label(name), other: label(more) });
  return told;
}

type Props = { row: Result; columns: TemplateField[]; turn: (field: string) => void };

/** All of them, each leading to its field. */
export function Reasons({ row, columns, turn }: Props) {
  const all = reasons(row, columns);
  if (!all.length) return null;
  return (
    <div class="reasons">
      <strong>{t("doubts")}</strong>
      <ul>
        {all.map(({ text, field }) => (
          <li key={text}>{field ? <button type="button" onClick={() => turn(field)}>{text}</button> : text}</li>
        ))}
      </ul>
    </div>
  );
}
