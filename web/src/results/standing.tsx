// How far what was decided has come: saving, saved, tried again, refused, or decided by another person meanwhile.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { type Batch, dismiss, resolve, retryNow, useBatches } from "./deciding";
import { worth } from "./history";
import { shown } from "./values";
import { useWho } from "./who";

type Props = { project: string; rows: Result[]; fields: TemplateField[]; isOpen?: boolean };

const SAVED_MS = 2_500;

export function Standing({ project, rows, fields, isOpen = false }: Props) {
  const batches = useBatches(project);
  const [isSaved, setSaved] = useState(false);
  const before = useRef(0);
  const sending = batches.filter(({ state }) => state === "saving" || state === "retry").length;
  const troubled = batches.filter(({ state, resultId }) => (state === "conflict" || state === "refused") && rows.some((row) => row.resultId === resultId));
  useEffect(() => {
    const isDone = before.current > 0 && sending === 0 && !batches.some(({ state }) => state === "conflict" || state === "refused");
    before.current = sending;
    if (!isDone) return undefined;
    setSaved(true);
    const timer = setTimeout(() => setSaved(false), SAVED_MS);
    return () => clearTimeout(timer);
  }, [sending]);
  const isLost = batches.some(({ state }) => state === "retry");
  const kind = isLost ? "lost" : sending ? "saving" : isSaved ? "saved" : "";
  return (
    <>
      <p class={`standing small ${kind}`} role="status">
        {kind && t(isLost ? "notSaved" : sending ? "saving" : "saved")}
        {isLost && <button type="button" class="plain" onClick={retryNow}>{t("retryNow")}</button>}
      </p>
      {isOpen && troubled.map((batch) => <Trouble key={batch.id} project={project} batch={batch} row={rows.find((row) => row.resultId === batch.resultId)} fields={fields} />)}
    </>
  );
}

type TroubleProps = { project: string; batch: Batch; row: Result | undefined; fields: TemplateField[] };

function Trouble({ project, batch, row, fields }: TroubleProps) {
  const who = useWho();
  const told = (found: Parameters<typeof worth>[0], of: TemplateField, address: string) => {
    const isWhole = found.verb === "agree" && address === of.name;
    return isWhole ? `${worth(found, of)}: ${shown(row?.extractedData?.fields?.[of.name], of)}` : worth(found, of);
  };
  const field = (address: string) => fields.find(({ name }) => name === address.split("/", 1)[0]);
  const [first] = batch.decisions;
  const label = first ? field(first.address) : undefined;
  if (batch.state === "refused") {
    return (
      <div class="trouble refused" role="alert">
        <p>{label && <b>{named(label)}: </b>}{t("notTaken", { why: batch.why ?? "" })}</p>
        <button type="button" onClick={() => dismiss(project, batch)}>{t("dismiss")}</button>
      </div>
    );
  }
  return (
    <div class="trouble" role="alert">
      {(batch.conflicts ?? []).map(({ address, theirs }) => {
        const mine = batch.decisions.find((each) => each.address === address);
        const of = field(address);
        return of && (
          <div key={address}>
            <p><b>{named(of)}</b>: {t("meanwhile", { who: theirs ? who(theirs) : t("somebody") })}</p>
            <dl>
              <div><dt>{t("theirs")}</dt><dd>{theirs ? told(theirs, of, address) : t("tookBack")}</dd></div>
              <div><dt>{t("mine")}</dt><dd>{mine ? told(mine, of, address) : ""}</dd></div>
            </dl>
          </div>
        );
      })}
      <div class="actions">
        <button type="button" onClick={() => resolve(project, batch, false)}>{t("keepTheirs")}</button>
        <button type="button" class="first" onClick={() => resolve(project, batch, true)}>{t("takeMine")}</button>
      </div>
    </div>
  );
}
