// The bar of what is not saved; and what is said when somebody else was quicker.
import { useState } from "preact/hooks";
import { Act, Question } from "../pieces";
import { type Changes, type Stale, reason } from "./saving";
import { type ColumnView, type StatusView, type Value, shown } from "./shapes";
import { coded, s, some } from "./words";

type Props = { changes: Changes; status: StatusView | undefined; columns: ColumnView[] };

export function SaveBar({ changes, status, columns }: Props) {
  const [asking, setAsking] = useState(false);
  const { made, isChanged, saving, error, savedAs, stale, isBehind, isOther, isRefused, isFree } = changes;
  const step = coded("step", status?.save?.step ?? "");
  const discard = () => Promise.resolve(changes.discard());
  const again = isFree && (error !== "" || isRefused);
  return (
    <>
      {isOther && <p class="aside sheet-stale" role="alert"><strong>{s("staleTitle")}</strong> {s("staleWait")}</p>}
      {isBehind && !stale && !isOther && <p class="aside sheet-stale" role="status">{s("staleLook")}</p>}
      {stale && <Between stale={stale} changes={changes} columns={columns} />}
      {(isChanged || savedAs > 0 || saving !== null) && (
        <div class="sheet-save" role="region" aria-label={s("save")}>
          <span class="sheet-said" role="status">
            {saving !== null ? <><progress aria-label={s("saving")} /> {step ? s("savingStep", { step }) : s("saving")}</> : isChanged ? <strong>{some(made.count, "changeOne", "changeN")}</strong> : s("saved", { n: savedAs })}
          </span>
          {isChanged && saving === null && changes.wasKept && <span class="quiet small">{s("kept")}</span>}
          {isChanged && saving === null && (
            <span class="actions">
              <button type="button" class="plain" disabled={!isFree} onClick={changes.undo}>{s("undo")}</button>
              <button type="button" onClick={() => setAsking(true)}>{s("discard")}</button>
              <Act class="first" disabled={!isFree} act={changes.press}>{s(again ? "tryNow" : "save")}</Act>
            </span>
          )}
          {error !== "" && saving === null && isChanged && <p class="wrong" role="alert">{s("saveFailed", { reason: reason(error) })}</p>}
        </div>
      )}
      {asking && <Question title={s("discard")} text={s("discardAsk")} yes={s("yesDiscard")} no={s("keepThem")} act={discard} close={() => setAsking(false)} />}
    </>
  );
}

const word = (value: Value): string => (value === null ? s("nothing") : `“${shown(value)}”`);

function Between({ stale, changes, columns }: { stale: Stale; changes: Changes; columns: ColumnView[] }) {
  const { version, by, clashes, outside, hasMoved, next } = stale;
  const who = by ? s("staleBy", { who: by }) : "";
  const isEmpty = next.past.length === 0;
  return (
    <section class="aside sheet-stale" role="alert" aria-label={s("staleTitle")}>
      <h2>{s("staleTitle")}</h2>
      <p>{s("staleWhy", { n: version, who })}</p>
      {isEmpty && <p>{s("staleSame")}</p>}
      {clashes.length > 0 && (
        <>
          <p>{s("staleClash")}</p>
          <ul>
            {clashes.map((clash) => (
              <li key={`${clash.row} ${clash.column}`}>
                <strong>{s("editing", { column: columns[clash.column]?.name ?? "", n: clash.row + 1 })}</strong>: {s("staleWas", { was: word(clash.before), now: word(clash.now), yours: word(clash.value) })}{" "}
                <button type="button" class="plain" onClick={() => changes.leave(clash)}>{s("staleTheirs")}</button>
              </li>
            ))}
          </ul>
        </>
      )}
      {hasMoved && <p class="wrong">{s("staleMoved")}</p>}
      {outside > 0 && <p class="wrong">{s("staleOutside", { n: outside })}</p>}
      <div class="actions">
        <button type="button" class="first" onClick={() => changes.take(next)}>{s("staleTake", { n: version })}</button>
      </div>
    </section>
  );
}
