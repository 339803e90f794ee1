// Small things that every view uses: a notice, a failure, a wait, a question, a badge.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { href, parse } from "./address";
import { Offline, Problem } from "./api";
import { refused, t, type Word } from "./words";

type NoticeProps = { title: string; children?: ComponentChildren; action?: ComponentChildren; kind?: "wrong" | "quiet"; whole?: boolean };

/** `whole` where it is all that the page says. */
export function Notice({ title, children, action, kind = "quiet", whole = false }: NoticeProps) {
  const Title = whole ? "h1" : "h2";
  return (
    <section class={`notice ${kind}`} role={kind === "wrong" ? "alert" : undefined}>
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {action && <div class="actions">{action}</div>}
    </section>
  );
}

export function said(error: unknown): string {
  if (error instanceof Offline) return t("offline");
  if (error instanceof Problem && error.status === 403) return t("forbidden");
  if (error instanceof Problem) return refused(error.kind, error.message) || t("failed");
  return error instanceof Error && error.message ? error.message : t("failed");
}

export function Failure({ error, again, whole = false }: { error: unknown; again?: () => void; whole?: boolean }) {
  const isGone = error instanceof Problem && error.status === 404;
  const home = href({ view: "tasks", project: parse(location.hash).project });
  const action = isGone ? <a class="button" href={home}>{t("tasks")}</a> : again && <button type="button" onClick={again}>{t("tryAgain")}</button>;
  return (
    <Notice whole={whole} kind={isGone ? "quiet" : "wrong"} title={t(isGone ? "notFound" : "failed")} action={action}>
      {isGone ? t("notFoundWhy") : said(error)}
      {error instanceof Problem && !isGone && said(error) !== error.message && <details class="small"><summary>{t("technical")}</summary><code>{`${error.status} ${error.kind}: ${error.message}`}</code></details>}
    </Notice>
  );
}

/** A wait that shows nothing for the first moment, so that quick answers do not flicker. */
export function Waiting({ rows = 6 }: { rows?: number }) {
  return (
    <div class="waiting" role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, row) => <i key={row} />)}
    </div>
  );
}

type QuestionProps = {
  title: string;
  text: string;
  yes: string;
  no: string;
  act: () => Promise<unknown>;
  close: () => void;
};

/** One plain question, with the careful answer first in focus. */
export function Question({ title, text, yes, no, act, close }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const answer = () => {
    setBusy(true);
    act().then(close, (reason: unknown) => {
      setError(reason);
      setBusy(false);
    });
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="question">
      <h2 id="question">{title}</h2>
      <p>{text}</p>
      {error !== null && <p class="wrong" role="alert">{said(error)}</p>}
      <div class="actions">
        <button type="button" autofocus onClick={close}>{no}</button>
        <button type="button" class="danger" disabled={busy} onClick={answer}>{yes}</button>
      </div>
    </dialog>
  );
}

export function Badge({ state, word }: { state: string; word: Word }) {
  return <span class={`badge ${state}`}>{t(word)}</span>;
}

type BusyProps = { act: () => Promise<unknown>; children: ComponentChildren; class?: string; disabled?: boolean; type?: "button" | "submit"; label?: string };

/** A button that cannot be pressed again until what it does is done. */
export function Act({ act, children, disabled = false, type = "button", ...more }: BusyProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const pressed = useRef(false);
  const press = () => {
    if (pressed.current) return;
    pressed.current = true;
    setBusy(true);
    setError(null);
    act()
      .catch(setError)
      .finally(() => {
        pressed.current = false;
        setBusy(false);
      });
  };
  return (
    <>
      <button type={type} class={more.class} aria-label={more.label} disabled={disabled} aria-busy={busy} onClick={press}>{children}</button>
      {error !== null && <span class="wrong" role="alert">{said(error)}</span>}
    </>
  );
}

type MenuProps = { label: string; kind?: string; isBusy?: boolean; children: ComponentChildren };

/** What opens under a button. Escape and a press elsewhere close it, and so does what `closes` in it. */
export function Menu({ label, kind = "", isBusy = false, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = (event: Event) => {
      const isKey = event instanceof KeyboardEvent;
      if (!menu.current?.open || (isKey ? event.key !== "Escape" : menu.current.contains(event.target as Node))) return;
      menu.current.open = false;
      if (isKey) menu.current.querySelector("summary")?.focus();
    };
    const ways = ["keydown", "pointerdown"];
    ways.forEach((way) => addEventListener(way, leave));
    return () => ways.forEach((way) => removeEventListener(way, leave));
  }, []);
  const close = (event: Event) => {
    if (menu.current && (event.target as Element).closest(".closes")) menu.current.open = false;
  };
  return (
    <details ref={menu} class={`opens-menu ${kind}`}>
      <summary class="button" aria-disabled={isBusy}>{label}</summary>
      <div class="menu" onClick={close}>{children}</div>
    </details>
  );
}

export function Steps({ now }: { now: 1 | 2 | 3 }) {
  const words: Word[] = ["step1", "step2", "step3"];
  return (
    <ol class="steps">
      {words.map((word, at) => (
        <li key={word} aria-current={at + 1 === now ? "step" : undefined} class={at + 1 < now ? "past" : ""}>
          <span>{at + 1}</span>{t(word)}
        </li>
      ))}
    </ol>
  );
}
