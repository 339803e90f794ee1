// How many papers of a task may be read at once: said with a new task, and changed while it runs.
import { useState } from "preact/hooks";
import { type Place, turn } from "./address";
import { body } from "./api";
import { Act } from "./pieces";
import { TASKS, client, limit } from "./queries";
import type { Task } from "./shapes";
import { number, t } from "./words";

const ceiling = () => limit("rowsAtWorkPerTask");

/** As it was typed: a number of papers, nothing for no limit, or neither. */
function read(text: string): { most: number | null; wrong: boolean } {
  const most = Number(text);
  const isNumber = /^[0-9]+$/.test(text) && most >= 1 && most <= ceiling();
  return { most: isNumber ? most : null, wrong: text !== "" && !isNumber };
}

/** What a new task asks of it, by the address; `wrong` where that is no number. */
export function limitOf(place: Place): { asked: { mostAtWork?: number }; wrong: boolean } {
  const { most, wrong } = read(place.query["atwork"] ?? "");
  return { asked: most === null ? {} : { mostAtWork: most }, wrong };
}

function Field({ text, set }: { text: string; set: (text: string) => void }) {
  const { wrong } = read(text);
  return (
    <>
      <label>
        {t("atWork")}
        <input
          type="text"
          inputMode="numeric"
          autocomplete="off"
          value={text}
          aria-invalid={wrong}
          aria-describedby="at-work-help"
          onInput={(event) => set(event.currentTarget.value.trim())}
        />
      </label>
      <p id="at-work-help" class={wrong ? "wrong small" : "quiet small"}>{wrong ? t("atWorkWrong", { most: number(ceiling()) }) : t("atWorkHelp")}</p>
    </>
  );
}

export function ChooseLimit({ place }: { place: Place }) {
  const text = place.query["atwork"] ?? "";
  return (
    <details class="limit" open={text !== ""}>
      <summary>{t("advanced")}</summary>
      <div class="engines"><Field text={text} set={(atwork) => turn(place, { atwork })} /></div>
    </details>
  );
}

export function SetLimit({ project, task }: { project: string; task: Task }) {
  const [text, setText] = useState(task.mostAtWork === null ? "" : String(task.mostAtWork));
  const { most, wrong } = read(text);
  const act = async () => {
    await body("post", `${TASKS}/{task_id}/limit`, { path: { task_id: task.taskId }, project, body: { mostAtWork: most } });
    await client.invalidateQueries({ queryKey: ["task", project, task.taskId] });
  };
  return (
    <details class="limit">
      <summary>{task.mostAtWork === null ? t("atWorkAny") : t("atWorkNow", { n: task.mostAtWork })}</summary>
      <div class="engines">
        <Field text={text} set={setText} />
        <Act act={act} disabled={wrong || most === task.mostAtWork}>{t("atWorkSet")}</Act>
      </div>
    </details>
  );
}
