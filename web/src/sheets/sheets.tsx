// Workbooks: the list of them, or one. It comes with the first visit.
import type { Place } from "../address";
import { List } from "./list";
import { Session } from "./session";

type Props = { place: Place & { project: string }; may: boolean };

export default function Sheets({ place, may }: Props) {
  return place.view === "sheet" && place.task ? <Session key={place.task} place={{ ...place, task: place.task }} may={may} /> : <List place={place} may={may} />;
}
