// The entries of a list, a card each: what was read of it, what is known of it, and whether a person has checked it.
import { useEffect, useRef } from "preact/hooks";
import type { Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { center } from "./center";
import type { Part } from "./decided";
import { doubt, plain } from "./values";
import { useWho, checkedBy } from "./who";

type Props = { row: Result; field: TemplateField; parts: Part[]; at: number; point: (at: number) => void };

export function Cards({ field, parts, at, point }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => center(list.current?.querySelector("[aria-current]") ?? null, ".cards"), [at, field.name]);
  const own = parts.filter((part) => part.entry);
  return (
    <>
      {own.some((part) => part.isChecked) && <p class="small tick">{t("entriesChecked", { n: own.filter((part) => part.isChecked).length, all: own.length })}</p>}
      <ol class="cards" ref={list} aria-label={named(field)}>
        {parts.map((part, place) => <li key={part.address}><Card part={part} field={field} place={place} all={parts.length} isHere={place === at} point={point} /></li>)}
      </ol>
    </>
  );
}

type CardProps = { part: Part; field: TemplateField; place: number; all: number; isHere: boolean; point: (at: number) => void };

function Card({ part, field, place, all, isHere, point }: CardProps) {
  const who = useWho();
  const held = part.whole ?? Object.values(part.members)[0];
  const how = part.entry && !part.isChecked ? part.entry.state : "";
  const told = part.entry ? (part.isGone ? t("entryGone") : how && how !== "found" ? t(how) : "") : t("entryAdded");
  return (
    <button type="button" class={`card ${how}${part.isChecked ? " is-checked" : ""}${part.isGone ? " is-gone" : ""}`} aria-current={isHere ? "true" : undefined} onClick={() => point(place)}>
      <span class="card-head small">
        <span class="quiet">{t("entryN", { n: place + 1, all })}{told ? ` · ${told}` : ""}</span>
        {held && part.isChecked && <span class="tick" title={checkedBy(held, who(held))}>✓<span class="unseen"> {checkedBy(held, who(held))}</span></span>}
      </span>
      {field.type === "[object]" ? <Members part={part} field={field} /> : <span>{plain(part.value, field) || "–"}</span>}
      {how === "unsupported" && part.entry?.reason && <span class="small doubt">{doubt(part.entry)}</span>}
    </button>
  );
}

/** Only what was found: a table of all that might be is mostly empty. */
function Members({ part, field }: { part: Part; field: TemplateField }) {
  const value = (part.value ?? {}) as Record<string, unknown>;
  const filled = (field.fields ?? []).filter((each) => plain(value[each.name]));
  return (
    <span class="members">
      {filled.map((each) => (
        <span key={each.name}>
          <span class="quiet small">{named(each)}</span> <b class={part.members[each.name]?.verb === "correct" ? "changed" : ""}>{plain(value[each.name], each)}</b>
        </span>
      ))}
    </span>
  );
}
