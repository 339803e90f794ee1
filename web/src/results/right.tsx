// How right the engine was on these papers, field by field: from the cells that people have read one by one.
import { useQuery } from "@tanstack/preact-query";
import { useEffect, useRef } from "preact/hooks";
import { Failure, Waiting } from "../pieces";
import type { Task, TemplateField } from "../shapes";
import { many, named, number, t } from "../words";
import { type Share, type Told, figures } from "./figures";

type Props = { project: string; task: Task; fields: TemplateField[]; close: () => void };

/** With fewer answers an interval is as wide as the scale. */
const FEW = 3;

const percent = (share: number): string => `${number(Math.round(100 * share))} %`;

export default function Right({ project, task, fields, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const found = useQuery({
    queryKey: ["right", project, task.taskId],
    queryFn: () => figures(project, task.taskId),
    staleTime: 0,
  });
  return (
    <dialog ref={dialog} class="right" aria-labelledby="right" onClose={close}>
      <h2 id="right">{t("engineRightTitle")}</h2>
      {found.isPending && <Waiting rows={4} />}
      {found.isError && !found.data && <Failure error={found.error} again={() => void found.refetch()} />}
      {found.data && <Shown told={found.data} fields={fields} />}
      <div class="actions"><button type="button" autofocus onClick={() => dialog.current?.close()}>{t("close")}</button></div>
    </dialog>
  );
}

function Shown({ told, fields }: { told: Told; fields: TemplateField[] }) {
  const read = fields.flatMap((field) => {
    const own = told.fields[field.name];
    return own && own.agreed + own.corrected + own.wrong + own.missed > 0 ? [{ field, own }] : [];
  });
  if (!read.length) return <p>{t("engineRightNone")}</p>;
  const sum = (what: "agreed" | "corrected" | "wrong" | "missed") => read.reduce((all, { own }) => all + own[what], 0);
  const [agreed, answers] = [sum("agreed"), sum("agreed") + sum("corrected") + sum("wrong")];
  const all = wilson(agreed, answers);
  return (
    <>
      {all && <p class="right-all">{t("rightOne", { n: answers, right: agreed, share: percent(all.share), low: percent(all.low), high: percent(all.high) })} {sum("missed") > 0 && many(sum("missed"), "rightMissedOne", "rightMissed")}</p>}
      <p class="quiet small">{t("engineRightWhy", { n: told.checked - told.byBlock, block: told.byBlock })}</p>
      <div class="right-table" tabIndex={0} role="region" aria-labelledby="right">
        <table>
          <thead><tr>{[t("field"), t("agreedN"), t("correctedN"), t("wrongN"), t("missedN"), t("rightShare")].map((each) => <th key={each} scope="col">{each}</th>)}</tr></thead>
          <tbody>
            {read.map(({ field, own }) => (
              <tr key={field.name}>
                <th scope="row">{named(field)}</th>
                {[own.agreed, own.corrected, own.wrong, own.missed].map((each, at) => <td key={at}>{each || "–"}</td>)}
                <td><Interval right={own.agreed + own.corrected + own.wrong < FEW ? null : own.right} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The interval as a bar, and in figures. */
function Interval({ right }: { right: Share | null }) {
  if (!right) return <span class="quiet small">{t("rightFew")}</span>;
  return (
    <span class="interval">
      <i aria-hidden="true"><b style={{ left: `${100 * right.low}%`, width: `${100 * (right.high - right.low)}%` }} /><u style={{ left: `${100 * right.share}%` }} /></i>
      {percent(right.share)} <span class="quiet small">{percent(right.low)}–{percent(right.high)}</span>
    </span>
  );
}

const Z = 1.959964;

/** The 95 % interval of a share, as the server has it for each field. */
function wilson(right: number, of: number): Share | null {
  if (!of) return null;
  const share = right / of;
  const scale = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
