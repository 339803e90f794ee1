// The frame: who is signed in, which project, which view the address names.
import type { ComponentChildren } from "preact";
import { Suspense, lazy } from "preact/compat";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Place, href, parse, replace, useAddress } from "./address";
import { Boundary } from "./boundary";
import { Connection } from "./connection";
import type { Engines } from "./engines";
import { Header } from "./header";
import { keep, kept } from "./kept";
import { Library } from "./library";
import { useOutside } from "./outside";
import { Failure, Notice, Waiting } from "./pieces";
import { client, useMe } from "./queries";
import * as session from "./session";
import { Setup } from "./setup";
import { SignIn } from "./sign_in";
import { TaskPage } from "./task";
import { TaskList } from "./tasks";
import { Undo } from "./undo";
import { Dropping, Uploads } from "./uploads";
import { t, useLanguage } from "./words";

const KEPT = "sheaf.project";
/** It comes when somebody edits. */
const Editor = lazy(() => import("./editor/editor"));
/** And this when somebody has a workbook. */
const Sheets = lazy(() => import("./sheets/sheets"));

function useSession(): session.Session | null {
  const kept = useOutside(session.kept, session.watch);
  return useMemo(session.current, [kept]);
}

export function App() {
  // Everything below is drawn anew in another language, and keeps what was typed and opened.
  useLanguage();
  const found = useSession();
  useEffect(() => {
    if (!found) client.clear();
  }, [found === null]);
  return (
    <div>
      <a class="skip" href="#main" onClick={toMain}>{t("skip")}</a>
      {found ? <SignedIn username={found.username} /> : <SignIn />}
    </div>
  );
}

const ARRIVES_MS = 3_000;

/** Where a link led elsewhere, the focus goes to the new heading as soon as it is there, unless somebody is typing. */
function useArrival(at: string): void {
  const before = useRef(at);
  useEffect(() => {
    if (before.current === at) return undefined;
    before.current = at;
    const until = Date.now() + ARRIVES_MS;
    const look = () => {
      const heading = document.querySelector<HTMLElement>("#main h1");
      if (document.activeElement?.matches("#main :is(input, select), dialog *, .evidence")) return;
      if (!heading) {
        if (Date.now() < until) timer = setTimeout(look, 50);
        return;
      }
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    let timer = setTimeout(look);
    return () => clearTimeout(timer);
  }, [at]);
}

function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function SignedIn({ username }: { username: string }) {
  const place = useAddress();
  useArrival(`${place.project}/${place.view}/${place.task}`);
  const me = useMe(username);
  const projects = me.data?.projects ?? [];
  const chosen = projects.find((each) => each.projectId === place.project);
  const usual = projects.find((each) => each.projectId === kept(KEPT)) ?? projects[0];
  useEffect(() => {
    if (chosen) keep(KEPT, chosen.projectId);
    else if (usual) {
      // The address may have changed since this was drawn.
      const now = parse(location.hash);
      if (!now.project) replace(href({ ...now, project: usual.projectId }));
    }
  }, [chosen?.projectId, place.project, usual?.projectId]);
  const frame = (inside: ComponentChildren) => (
    <>
      <Header place={place} username={username} projects={projects} />
      <Connection />
      <Uploads />
      <main id="main" tabIndex={-1}><Boundary whole at={`${place.view} ${place.task}`}>{inside}</Boundary></main>
    </>
  );
  if (me.isPending) return frame(<Waiting />);
  if (!me.data) return frame(<Failure whole error={me.error} again={() => void me.refetch()} />);
  if (!projects.length) return frame(<Notice whole title={t("noProject")}>{t("noProjectWhy", { user: username })}</Notice>);
  if (!place.project) return frame(<Waiting />);
  if (!chosen) return frame(<NotYours place={place} usual={usual?.projectId ?? ""} />);
  const may = chosen.role !== "viewer";
  return (
    <>
      {frame(<Shown place={{ ...place, project: chosen.projectId }} may={may} engines={{ names: me.data.engines, usual: me.data.defaultEngine, endpoints: me.data.endpoints, inside: chosen.textStaysInside }} key={chosen.projectId} />)}
      <Undo project={chosen.projectId} />
    </>
  );
}

function NotYours({ place, usual }: { place: Place; usual: string }) {
  return (
    <Notice whole title={t("notYours")} action={<a class="button" href={href({ view: "tasks", project: usual })}>{usual}</a>}>
      {t("notYoursWhy", { project: place.project ?? "" })}
    </Notice>
  );
}

type Here = Place & { project: string };

function Shown({ place, may, engines }: { place: Here; may: boolean; engines: Engines }) {
  if (place.view === "new") return <Setup place={place} may={may} engines={engines} />;
  if (place.view === "template") return <Suspense fallback={<Waiting />}><Editor key={place.query["id"]} place={place} may={may} engines={engines} /></Suspense>;
  if (place.view === "sheets" || place.view === "sheet") return <Suspense fallback={<Waiting />}><Sheets place={place} may={may} /></Suspense>;
  if (place.view === "library") return <Library place={place} may={may} inside={engines.inside} />;
  return (
    <>
      <Dropping project={place.project} base={null} name="" may={may} />
      {place.task ? <TaskPage place={{ ...place, task: place.task }} may={may} key={place.task} /> : <TaskList project={place.project} may={may} />}
    </>
  );
}
