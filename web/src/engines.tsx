// Which engine reads, where there is more than one, and what it may cost at most, where it is a model.
import { type Place, turn } from "./address";
import { RULES } from "./costs";
import { dollars, t } from "./words";

const MOST_USD = 1_000_000;

/** Those that there are, and the one whose work a task is that names none. */
export type Engines = { names: string[]; usual: string };
/** What a new task asks of its reading; `wrong` where the budget is none. */
export type Reading = { asked: { engine?: string; budgetUsd?: number }; wrong: boolean };

/** Who will read, by the address. An engine that there is not says nothing. */
function chosen(place: Place, { names, usual }: Engines): string {
  const engine = place.query["engine"] ?? "";
  return names.includes(engine) ? engine : usual;
}

/** As the address says. The usual engine is not asked for by name; a budget of what costs nothing says nothing. */
export function readingOf(place: Place, engines: Engines): Reading {
  const name = chosen(place, engines);
  const engine = name === engines.usual ? {} : { engine: name };
  const text = place.query["budget"] ?? "";
  if (name === RULES || !text) return { asked: engine, wrong: false };
  const budgetUsd = Number(text);
  const isBudget = budgetUsd > 0 && budgetUsd <= MOST_USD;
  return { asked: isBudget ? { ...engine, budgetUsd } : engine, wrong: !isBudget };
}

function said(name: string, usual: string): string {
  const what = name === RULES ? t("engineRules") : t("engineModel", { name });
  return name === usual ? t("engineUsual", { what }) : what;
}

export function ChooseEngine({ place, engines }: { place: Place; engines: Engines }) {
  const { names, usual } = engines;
  if (names.length < 2 && usual === RULES) return null;
  const name = chosen(place, engines);
  const { wrong } = readingOf(place, engines);
  const isModel = name !== RULES;
  return (
    <div class="engines">
      <label>
        {t("engine")}
        <select value={name} onChange={(event) => turn(place, { engine: event.currentTarget.value === usual ? "" : event.currentTarget.value })}>
          {names.map((each) => <option key={each} value={each}>{said(each, usual)}</option>)}
        </select>
      </label>
      {isModel && (
        <label>
          {t("budget")}
          <input
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={place.query["budget"] ?? ""}
            aria-invalid={wrong}
            aria-describedby="budget-help"
            onInput={(event) => turn(place, { budget: event.currentTarget.value.trim() })}
          />
        </label>
      )}
      {isModel && <p id="budget-help" class={wrong ? "wrong small" : "quiet small"}>{wrong ? t("budgetWrong", { most: dollars(MOST_USD) }) : t("budgetHelp")}</p>}
    </div>
  );
}
