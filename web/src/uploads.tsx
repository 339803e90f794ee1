// The list of papers on their way up, in a strip above the page; and the place to drop them, which is anywhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { useOutside } from "./outside";
import { type Item, add, again, all, clear, isOver, watch } from "./upload";
import { t, type Word } from "./words";

const GONE_MS = 4_000;


const SAID: Record<Item["state"], Word> = {
  waiting: "waiting", hashing: "hashing", sending: "uploading", done: "uploaded", there: "alreadyThere", failed: "uploadFailed",
};
/** What no second try mends. */
const FINAL = new Set(["wrongKind", "tooLarge"]);
const REASONS = new Set(["wrongKind", "tooLarge", "lostConnection", "refusedUpload", "notReadable", "notSecure"]);

function word(item: Item): string {
  const reason = REASONS.has(item.why) ? t(item.why as Word) : item.why;
  if (item.state === "there" && item.why && item.why !== item.file.name) return t("sameAs", { name: item.why });
  return t(SAID[item.state], { reason });
}

export function Uploads() {
  const items: Item[] = useOutside(all, watch);
  const isDone = items.length > 0 && items.every((item) => item.state === "done" || item.state === "there");
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(clear, GONE_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  if (!items.length) return null;
  const over = items.filter(isOver).length;
  const failed = items.filter((item) => item.state === "failed").length;
  // What went wrong comes first: among thirty nobody scrolls for it.
  const shown = [...items].sort((a, b) => Number(b.state === "failed") - Number(a.state === "failed"));
  return (
    <aside class="uploads" aria-label={t("uploads")}>
      <div class="uploads-head">
        <h2>{t("uploads")} <span class="quiet small">{t("uploadsOver", { n: over - failed, all: items.length })}</span>{failed > 0 && <span class="wrong small"> · {t("uploadsFailed", { n: failed })}</span>}</h2>
        <button type="button" class="plain" onClick={clear}>{t(over === items.length ? "close" : "clear")}</button>
      </div>
      <ul tabIndex={0} aria-label={t("uploads")}>
        {shown.map((item) => (
          <li key={item.id} class={item.state}>
            <span class="uploads-name" title={item.file.name}>{item.file.name}</span>
            <progress max={1} value={item.sent} aria-label={item.file.name} />
            <span class="uploads-state">{word(item)}</span>
            {item.state === "failed" && !FINAL.has(item.why) && (
              <button type="button" class="plain" onClick={() => void again(item)}>{t("tryAgain")}</button>
            )}
          </li>
        ))}
      </ul>
    </aside>
  );
}

type DroppingProps = { project: string; base: string | null; name: string; may: boolean };

/** Files dropped anywhere on the page go to this knowledge base. Without one they go nowhere. */
export function Dropping({ project, base, name, may }: DroppingProps) {
  const take = base && may ? (files: Iterable<File>) => void add(files, project, base) : null;
  return <Drop take={take} text={!may ? t("forbidden") : base ? t("dropHere", { name }) : t("dropNowhere")} />;
}

/** Where files are dropped and not taken they go nowhere: a browser left alone would open the file in the page's place. */
export function Drop({ take, text }: { take: ((files: Iterable<File>) => void) | null; text: string }) {
  const [over, setOver] = useState(false);
  const taken = useRef(take);
  taken.current = take;
  useEffect(() => {
    const has = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const drag = (event: DragEvent) => {
      if (!has(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!has(event)) return;
      event.preventDefault();
      setOver(false);
      taken.current?.(event.dataTransfer?.files ?? []);
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return over ? <div class="dropping"><p>{text}</p></div> : null;
}

export function Choose({ project, base }: { project: string; base: string }) {
  return (
    <label class="button">
      {t("chooseFiles")}
      <input
        type="file"
        class="unseen"
        multiple
        accept=".pdf,.xml,.nxml,.txt"
        onChange={(event) => {
          const input = event.currentTarget;
          void add([...(input.files ?? [])], project, base);
          input.value = "";
        }}
      />
    </label>
  );
}
