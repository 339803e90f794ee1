// What a template can be told of the review: a line of text each, kept in the address.
import { type Place, turn } from "./address";
import { Failure } from "./pieces";
import { useTemplate } from "./queries";
import { named, t, told } from "./words";

const LONGEST = 200;

type Here = Place & { project: string };

/** What the address says for the inputs that the template takes, and for no other; not `known` while they are asked for. */
export function useInputs(place: Here, templateId: string) {
  const template = useTemplate(place.project, templateId);
  const taken = template.data?.inputs ?? [];
  const given = taken.map(({ name }) => [name, (place.query[name] ?? "").trim()]).filter(([, text]) => text);
  return { template, known: template.data !== undefined, asked: given.length ? { templateInputs: Object.fromEntries(given) } : {} };
}

export function ChooseInputs({ place, template }: { place: Here; template: ReturnType<typeof useTemplate> }) {
  if (template.isError && !template.data) return <Failure error={template.error} again={() => void template.refetch()} />;
  const taken = template.data?.inputs ?? [];
  if (!taken.length) return null;
  return (
    <fieldset class="inputs">
      <legend>{t("inputs")}</legend>
      {taken.map((each) => (
        <label key={each.name}>
          {named(each)}
          <input
            type="text"
            maxLength={LONGEST}
            autocomplete="off"
            value={place.query[each.name] ?? ""}
            aria-describedby={`${each.name}-help`}
            onInput={(event) => turn(place, { [each.name]: event.currentTarget.value })}
          />
          <span id={`${each.name}-help`} class="quiet small">{told(each.name, each.description)}</span>
        </label>
      ))}
    </fieldset>
  );
}
