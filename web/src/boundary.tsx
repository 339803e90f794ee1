// Where something of the page broke, this is shown in its place: never nothing.
import { Component, type ComponentChildren } from "preact";
import { Notice } from "./pieces";
import { t } from "./words";

/** `at`: another place is another try. */
type Props = { children: ComponentChildren; whole?: boolean; at?: string };
/** Browsers say it each in their own words: a part of the page's program did not come. */
const MISSING = /dynamically imported module|importing a module script|error loading/i;

export class Boundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static override getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: Props) {
    if (this.state.error && before.at !== this.props.at) this.setState({ error: null });
  }

  override render({ children, whole = false }: Props) {
    const { error } = this.state;
    if (!error) return children;
    const isMissing = MISSING.test(error.message);
    const reload = <button type="button" onClick={() => location.reload()}>{t("reload")}</button>;
    return (
      <Notice whole={whole} kind="wrong" title={t(isMissing ? "partMissing" : "broke")} action={reload}>
        {t(isMissing ? "partMissingWhy" : "brokeWhy")}
        {!isMissing && <><br /><code class="small">{error.message}</code></>}
      </Notice>
    );
  }
}
