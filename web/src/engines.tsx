// Which engine reads, where there is more than one, and what it may cost at most, where it is a model.
import { type Place, turn } from "./address";
import { RULES } from "./costs";
import type { Me } from "./shapes";
import { dollars, t } from "./words";

const MOST_USD = 1_000_000;

/** Those that there are, and the one whose work a task is that names none. */
export type Engines = { names: string[]; usual: string; endpoints: Me["endpoints"]; inside: boolean };
/** What a new task asks of its reading; `wrong` where the budget is none. */
export type Reading = { asked: { engine?: string; budgetUsd?: number }; wrong: boolean };

export const engineOf = (place: Place, engines: Engines): string => chosen(place, engines);

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
  if (isBarred(name, engines)) return { asked: engine, wrong: true };
  if (name === RULES || !text) return { asked: engine, wrong: false };
  const budgetUsd = Number(text);
  const isBudget = budgetUsd > 0 && budgetUsd <= MOST_USD;
  return { asked: isBudget ? { ...engine, budgetUsd } : engine, wrong: !isBudget };
}

/** Whether this project does not let it have texts. */
const isBarred = (name: string, { endpoints, inside }: Engines): boolean => inside && endpoints.some((each) => each.engine === name && each.outside);

/** Where it sends texts. */
function sends(name: string, { endpoints }: Engines): string {
  const told = endpoints.find((each) => each.engine === name);
  if (!told) return name === RULES ? t("staysRules") : "";
  return told.host ? t(told.outside ? "goesOut" : "goesNear", { host: told.host }) : t("staysHere");
}

function said(name: string, engines: Engines): string {
  const { usual } = engines;
  const what = name === RULES ? t("engineRules") : t("engineModel", { name });
  if (isBarred(name, engines)) return t("engineOutside", { what });
  return name === usual ? t("engineUsual", { what }) : what;
}

export function ChooseEngine({ place, engines }: { place: Place; engines: Engines }) {
  const { names, usual } = engines;
  if (names.length < 2 && usual === RULES) return null;
  const name = chosen(place, engines);
  const { wrong } = readingOf(place, engines);
  const barred = isBarred(name, engines);
  const isModel = name !== RULES;
  return (
    <div class="engines">
      <label>
        {t("engine")}
        <select value={name} onChange={(event) => turn(place, { engine: event.currentTarget.value === usual ? "" : event.currentTarget.value })}>
          {names.map((each) => <option key={each} value={each} disabled={each !== name && isBarred(each, engines)}>{said(each, engines)}</option>)}
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
            aria-invalid={wrong && !barred}
            aria-describedby="budget-help"
            onInput={(event) => turn(place, { budget: event.currentTarget.value.trim() })}
          />
        </label>
      )}
      <p class={barred ? "wrong small" : "quiet small"} role={barred ? "alert" : undefined}>{[barred ? t("outsideWrong") : "", sends(name, engines)].filter(Boolean).join(" ")}</p>
      {isModel && <p id="budget-help" class={wrong && !barred ? "wrong small" : "quiet small"}>{wrong && !barred ? t("budgetWrong", { most: dollars(MOST_USD) }) : t("budgetHelp")}</p>}
    </div>
  );
}
