// Which engine reads, where there is more than one, and what it may cost at most, where it is a model.
import { type Place, turn } from "./address";
import { RULES } from "./costs";
import { dollars, t } from "./words";

const MOST_USD = 1_000_000;

/** What a new task asks of its reading; `wrong` where the budget is none. */
export type Reading = { asked: { engine?: string; budgetUsd?: number }; wrong: boolean };

/** As the address says. An engine that there is not, and a budget of what costs nothing, say nothing. */
export function readingOf(place: Place, engines: string[]): Reading {
  const engine = place.query["engine"] ?? "";
  if (engines.length < 2 || !engines.includes(engine)) return { asked: {}, wrong: false };
  const text = place.query["budget"] ?? "";
  if (engine === RULES || !text) return { asked: { engine }, wrong: false };
  const budgetUsd = Number(text);
  const isBudget = budgetUsd > 0 && budgetUsd <= MOST_USD;
  return { asked: isBudget ? { engine, budgetUsd } : { engine }, wrong: !isBudget };
}

export function ChooseEngine({ place, engines }: { place: Place; engines: string[] }) {
  if (engines.length < 2) return null;
  const { asked, wrong } = readingOf(place, engines);
  const isModel = asked.engine !== undefined && asked.engine !== RULES;
  return (
    <div class="engines">
      <label>
        {t("engine")}
        <select value={asked.engine ?? ""} onChange={(event) => turn(place, { engine: event.currentTarget.value })}>
          <option value="">{t("engineUsual")}</option>
          {engines.map((name) => <option key={name} value={name}>{name === RULES ? t("engineRules") : t("engineModel", { name })}</option>)}
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
