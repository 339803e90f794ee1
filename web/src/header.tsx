import { useEffect } from "preact/hooks";
import { type Place, go, href } from "./address";
import * as session from "./session";
import { choose, useTheme } from "./theme";
import { speak, t, useLanguage } from "./words";

type Props = { place: Place; username: string; projects: { projectId: string; role: string }[] };

export function Header({ place, username, projects }: Props) {
  const { project } = place;
  const link = (view: "tasks" | "library" | "sheets", isHere: boolean) => (
    <a href={href({ view, project })} aria-current={isHere ? "page" : undefined}>{t(view)}</a>
  );
  useEffect(() => {
    if (place.view !== "task" && place.view !== "results" && place.view !== "template" && place.view !== "sheet") {
      document.title = `${t(place.view === "new" ? "newTask" : place.view)} · Sheaf`;
    }
  }, [place.view]);
  return (
    <header class="bar">
      <a class="brand" href={href({ view: "tasks", project })}><Mark />Sheaf</a>
      {projects.length > 0 && (
        <nav aria-label="Sheaf">
          {link("tasks", place.view === "tasks" || place.view === "task" || place.view === "results")}
          {link("library", place.view === "library")}
          {link("sheets", place.view === "sheets" || place.view === "sheet")}
        </nav>
      )}
      <div class="bar-end">
        {projects.length > 1 && (
          <label class="compact">
            <span class="unseen">{t("project")}</span>
            <select value={project ?? ""} onChange={(event) => go(href({ view: "tasks", project: event.currentTarget.value }))}>
              {projects.map((each) => <option key={each.projectId} value={each.projectId}>{each.projectId}</option>)}
            </select>
          </label>
        )}
        {projects.length === 1 && <span class="project" title={t("project")}>{projects[0]?.projectId}</span>}
        <ThemeSwitch />
        <LanguageSwitch />
        <span class="who" title={username}>{username}</span>
        <button type="button" class="plain" onClick={() => void session.signOut()}>{t("signOut")}</button>
      </div>
    </header>
  );
}

export function LanguageSwitch() {
  const language = useLanguage();
  const other = language === "en" ? "zh" : "en";
  return (
    <button type="button" class="plain language" lang={other} onClick={() => speak(other)}>
      {other === "zh" ? "中文" : "English"}
    </button>
  );
}

export function ThemeSwitch() {
  const other = useTheme() === "dark" ? "light" : "dark";
  const word = t(other === "dark" ? "darkTheme" : "lightTheme");
  return <button type="button" class="icon theme" aria-label={word} title={word} onClick={() => choose(other)}>{other === "dark" ? "☾" : "☀"}</button>;
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <path d="M9 8h14M9 13h14M9 18h14M9 23h9" stroke="var(--on)" stroke-width="2.6" stroke-linecap="round" />
    </svg>
  );
}
