// What a project has decided for all of its tasks: whether texts may go to models outside this account.
import { body } from "./api";
import { Act } from "./pieces";
import { client } from "./queries";
import { t } from "./words";

type Props = { project: string; inside: boolean; may: boolean };

export function ProjectSettings({ project, inside, may }: Props) {
  const turn = async () => {
    await body("put", "/api/v1/asl/settings", { project, body: { textStaysInside: !inside } });
    await client.invalidateQueries({ queryKey: ["me"] });
  };
  return (
    <details class="settings panel">
      <summary>{t("settingsOf", { project })}</summary>
      <p><strong>{t(inside ? "insideOn" : "insideOff")}</strong></p>
      <p class="quiet small">{t("insideWhy")}</p>
      {may && <Act key={String(inside)} act={turn}>{t(inside ? "insideTurnOff" : "insideTurnOn")}</Act>}
    </details>
  );
}
