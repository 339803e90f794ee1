// The keys of the table and of a cell that is open.
import { useEffect, useRef } from "preact/hooks";
import { t, type Word } from "../words";

const KEYS: [string, Word][] = [
  ["A", "agree"], ["E", "correct"], ["N", "absent"], ["C", "note"], ["U", "undoIt"], ["J", "nextToCheck"], ["K", "previousToCheck"],
  ["[ ]", "key_entry"], ["/", "key_paper"], ["T", "key_source"], ["↑ ↓ ← →", "key_moveTable"], ["Enter, Esc", "key_open"], ["?", "keys"],
];

export default function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // Escape closes it, and not the cell beneath.
    <dialog ref={dialog} class="help" aria-labelledby="keys" onClose={close} onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}>
      <h2 id="keys">{t("keys")}</h2>
      <dl>
        {KEYS.map(([key, word]) => <div key={key}><dt>{key.split(" ").map((each) => <kbd key={each}>{each}</kbd>)}</dt><dd>{t(word)}</dd></div>)}
      </dl>
      <div class="actions"><button type="button" autofocus onClick={() => dialog.current?.close()}>{t("close")}</button></div>
    </dialog>
  );
}
