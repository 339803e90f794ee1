// Step 3: the table and what stands around it: filters, retry, the evidence beside it.
import { lazy, Suspense } from "preact/compat";
import { useEffect, useMemo, useState } from "preact/hooks";
import { cover, go, href, isHere, turn, uncover } from "../address";
import { Problem, body, insist } from "../api";
import { NewBudget } from "../budget";
import { spent } from "../costs";
import { Fit } from "../fit";
import { Act, Badge, Failure, Notice, Question, Steps, Waiting } from "../pieces";
import { TASKS, client, labelled, useBases, useFirst, useLabels, useTable, useTableSoFar, useTaskTemplate } from "../queries";
import { RenameTask } from "../relabel";
import { CLOSED, type Result, STATES, type State, type Task, type TemplateField, type TemplateInput, total } from "../shapes";
import type { Here } from "../task";
import { about, standing } from "../tasks";
import { isSampleMark, many, named, number, t, useLanguage, type Word } from "../words";
import { arrange, resized, useLook } from "./columns";
import { Check, Keys, agreeAll } from "./check";
import { ColumnsMenu } from "./columns_menu";
import { counted, tally } from "./decided";
import { resume, useBatches, withBatches } from "./deciding";
import { Export } from "./export";
import { isNothingJudged, judgementColumns } from "./judgements";
import { Panel } from "./panel";
import { PlainTable } from "./plain";
import { figures } from "./figures";
import { Printed } from "./printed";
import { ORDERS, type QueueOrder, beside } from "./queue";
import { Table } from "./table";
import { type Filter, cells, hasDoubts, mentions, ordered, passes, readOrder } from "./values";

const Standing = lazy(() => import("./standing").then(({ Standing: default_ }) => ({ default: default_ })));

type Props = { place: Here; task: Task; may: boolean };

export function Results({ place, task, may }: Props) {
  const { project } = place;
  const table = useTable(project, task);
  const soFar = useTableSoFar(project, task);
  // Only a kind that reads papers has a template: any other is shown as it comes.
  const isPlain = !task.templateId;
  const template = useTaskTemplate(project, isPlain ? null : task.taskId);
  const rows = table.data ?? soFar ?? [];
  const first = useFirst(project, task).data;
  const bases = useBases(project).data;
  const open = place.query["row"] ?? null;
  const isLoading = table.isPending || table.isPlaceholderData;
  const label = template.data ? named(template.data) : (task.templateId ?? task.kind);
  // What its retries have read is no longer missing.
  const isWhole = !isLoading && CLOSED.has(task.status) && rows.length > 0 && rows.every((row) => row.status === "completed");
  const stands = isWhole ? "completed" : standing(task);
  return (
    <div class={open === null ? "results" : "results split"}>
      <div class="results-main">
        <Steps now={3} />
        <div class="heading">
          <div>
            <h1>{task.name || label}</h1>
            <div class="quiet small whose">{[task.name && label, about(task, bases), spent(task)].filter(Boolean).join(" · ")}{may && <RenameTask project={project} task={task} />}</div>
          </div>
          <div class="actions">
            {!CLOSED.has(task.status) && <a class="button" href={href({ view: "task", project, task: task.taskId })}>{t("seeProgress")}</a>}
            <Badge state={stands} word={stands} />
            {!isPlain && task.totalCount != null && <Export project={project} task={task} />}
            {may && CLOSED.has(task.status) && <Remove place={place} task={task} rows={rows} />}
          </div>
        </div>
        {task.retryOf && <p class="aside">{t("retryNote")} {first && <a href={href({ view: "results", project, task: first })}>{t("wholeTable")}</a>}</p>}
        {task.errorMessage && <p class="wrong" role="status">{t("taskFailed", { reason: task.errorMessage })}</p>}
        {table.isError && !rows.length && <Failure error={table.error} again={() => void table.refetch()} />}
        {template.isError && !template.data && <Failure error={template.error} again={() => void template.refetch()} />}
        {task.totalCount == null ? null : (!rows.length && table.isPending) || (template.isPending && !isPlain) ? (
          <Waiting rows={8} />
        ) : isPlain ? (
          <Plain place={place} task={task} rows={rows} may={may} isLoading={isLoading} />
        ) : (
          template.data && <Shown place={place} task={task} rows={rows} fields={template.data.fields ?? []} inputs={template.data.inputs ?? []} may={may} isLoading={isLoading} />
        )}
      </div>
    </div>
  );
}

function Plain({ place, task, rows, may, isLoading }: Omit<ShownProps, "fields" | "inputs">) {
  return (
    <>
      <div class="toolbar results-bar">{may && CLOSED.has(task.status) && <Retry place={place} task={task} rows={rows} />}</div>
      <p class="legend small">{isLoading ? t("loadingRows", { n: rows.length, all: total(task) }) : many(rows.length, "rowOne", "rowsN")}</p>
      <PlainTable rows={rows} />
    </>
  );
}

/** The viewer is fetched before it is asked for, when the table has been drawn. */
const AHEAD_MS = 1_000;

type ShownProps = { place: Here; task: Task; rows: Result[]; fields: TemplateField[]; inputs: TemplateInput[]; may: boolean; isLoading: boolean };

function Shown({ place, task, rows: read, fields, inputs, may: mayEver, isLoading }: ShownProps) {
  const may = mayEver && !read[0]?.isGlance;
  const language = useLanguage();
  const { project } = place;
  const batches = useBatches(project);
  useEffect(() => resume(project), [project]);
  const { base, labels } = useLabels(project, task, read.length > 0);
  const rows = useMemo(() => withBatches(labelled(read, labels), batches), [read, labels, batches]);
  const checked = useMemo(() => counted(rows, fields), [rows, fields]);
  const hasPdfs = !isLoading && rows.some((each) => /\.pdf$/i.test(each.snapshotFilename ?? ""));
  useEffect(() => {
    if (!hasPdfs) return undefined;
    const timer = setTimeout(() => void import("./pdf").catch(() => undefined), AHEAD_MS);
    return () => clearTimeout(timer);
  }, [hasPdfs]);
  const filter = (place.query["show"] ?? "all") as Filter;
  const order = place.query["sort"];
  const find = (place.query["find"] ?? "").trim();
  const shown = useMemo(() => ordered(rows.filter((row) => passes(row, filter, (each) => tally(each, fields)) && mentions(row, find)), readOrder(order)), [rows, filter, find, order, language]);
  const row = rows.find((each) => each.resultId === place.query["row"]);
  const columns = useMemo(() => [...judgementColumns(fields), ...fields], [fields, language]);
  const [look, choose, reset] = useLook(task.templateId ?? "");
  const arranged = useMemo(() => arrange(columns, look), [columns, look]);
  const isSample = useMemo(() => rows.some(({ review }) => Object.values(review?.cells ?? {}).some(({ comment }) => comment != null && isSampleMark(comment))), [rows]);
  const isUnjudged = useMemo(() => isNothingJudged(rows, columns), [rows, columns]);
  const field = columns.find((each) => each.name === place.query["field"]);
  const inOrder = ORDERS.find((each) => each === place.query["check"]) ?? null;
  const from = row && field ? { row: row.resultId, field: field.name } : null;
  const check = (how: QueueOrder) => {
    const next = beside({ rows: shown, columns: arranged.columns, fields, order: how }, null, 1);
    // Whoever asks for it first has the table counted; from then on each decision carries the counts on.
    void client.prefetchQuery({ queryKey: ["right", project, task.taskId], queryFn: () => figures(project, task.taskId) });
    if (next) (from ? turn : cover)(place, { row: next.row.resultId, field: next.field.name, check: how });
  };
  const checking = {
    order: inOrder,
    setOrder: check,
    next: (step: -1 | 1) => beside({ rows: shown, columns: arranged.columns, fields, order: inOrder ?? "paper" }, from, step),
    paper: (row ? [tally(row, fields).checked, tally(row, fields).cells] : [0, 0]) as [number, number],
    all: [checked.checked, checked.cells] as [number, number],
  };
  const show = (value: Filter) => turn(place, { show: value === "all" ? "" : value });
  // One step back closes it, however many have been opened beside one another.
  const openAt = (at: Result, name: string) => (row && field ? turn : cover)(place, { row: at.resultId, field: name });
  return (
    <>
      <div class="toolbar results-bar">
        <Filters rows={rows} filter={filter} show={show} checked={checked.checked} cells={checked.cells} />
        {may && CLOSED.has(task.status) && <Retry place={place} task={task} rows={rows} />}
      </div>
      <Fit rows={rows} />
      <div class="legend small">
        <input
          type="search"
          class="find"
          aria-label={t("findRows")}
          placeholder={t("findRows")}
          value={place.query["find"] ?? ""}
          onInput={(event) => turn(place, { find: event.currentTarget.value })}
        />
        <span>{isLoading ? t("loadingRows", { n: rows.length, all: total(task) }) : shown.length === rows.length ? many(rows.length, "rowOne", "rowsN") : t("rowsOf", { n: shown.length, all: rows.length })}</span>
        <span class="wide-only table-help">{t("tableHelp")}</span>
        <Keys isOff={row !== undefined && field !== undefined} />
        {batches.length > 0 && !(row && field) && <Suspense fallback={null}><Standing project={project} rows={rows} fields={fields} isOpen /></Suspense>}
        {checked.cells > 0 && <Check checked={checked.checked} cells={checked.cells} may={may} start={() => check("worst")} project={project} task={task} fields={fields} />}
        <ColumnsMenu fields={columns} look={look} choose={choose} reset={reset} />
      </div>
      {isSample && <p class="aside">{t("sampleWhy")}</p>}
      {isUnjudged && <p class="aside">{t("nothingJudged")}</p>}
      {shown.length === 0 ? (
        <Notice title={t("noRows")} action={<button type="button" onClick={() => turn(place, { show: "", find: "" })}>{t("showAll")}</button>} />
      ) : (
        <Table rows={shown} arranged={arranged} fields={fields} checked={checked} agree={may ? (places) => agreeAll(project, places) : undefined} resize={(name, to) => choose(resized(look, name, to))} order={order} sort={(name) => turn(place, { sort: name })} open={openAt} at={row && field ? { row: row.resultId, field: field.name } : null} />
      )}
      <Printed rows={shown} columns={columns} />
      {row && field && (
        <Panel project={project} base={may ? base : null} may={may} checking={checking} fields={fields} row={row} field={field} rows={shown} columns={arranged.columns.includes(field) ? arranged.columns : columns} inputs={inputs} turn={openAt} close={() => uncover(place, { row: "", field: "", check: "" })} retry={may && CLOSED.has(task.status) && <Retry place={place} task={task} rows={rows} />} />
      )}
    </>
  );
}

/** Whether some of what a retry would read was never begun, because the task was cancelled. */
const hasUnread = (rows: Result[]): boolean => rows.some((row) => row.status === "cancelled");

const isState = (value: Filter): value is State => (STATES as readonly string[]).includes(value);

/** By state they are the legend too. */
function Filters({ rows, filter, show, checked, cells: all }: { rows: Result[]; filter: Filter; show: (value: Filter) => void; checked: number; cells: number }) {
  const counts = useMemo(
    () => ({
      all: rows.length,
      errors: rows.filter((row) => passes(row, "errors")).length,
      doubts: rows.filter(hasDoubts).length,
      ...(Object.fromEntries(STATES.map((each) => [each, rows.reduce((sum, row) => sum + cells(row, each), 0)])) as Record<State, number>),
    }),
    [rows],
  );
  const numbers: Record<Filter, number> = { ...counts, checked, unchecked: all - checked };
  const words: [Filter, Word][] = [["all", "allRows"], ["errors", hasUnread(rows) ? "notReadOnly" : "errorsOnly"], ["doubts", "doubtsOnly"], ...STATES.map((each): [Filter, Word] => [each, each]), ...(all ? ([["checked", "checkedOnly"], ["unchecked", "uncheckedOnly"]] as [Filter, Word][]) : [])];
  return (
    <div class="filters" role="group">
      {words.map(([value, word]) => (
        <button key={value} type="button" class={numbers[value] ? "" : "none"} aria-pressed={filter === value} title={isState(value) ? t(`${value}Why`) : value === "checked" ? t("checkedWhy") : undefined} onClick={() => show(value)}>
          <span class={`key ${value}`}>{t(word)}</span> <b>{number(numbers[value])}</b>
        </button>
      ))}
    </div>
  );
}

function Retry({ place, task, rows }: { place: Here; task: Task; rows: Result[] }) {
  const { project } = place;
  const [key] = useState(() => crypto.randomUUID());
  const [needsBudget, setNeedsBudget] = useState(false);
  const [budget, setBudget] = useState("");
  const failed = rows.filter((row) => row.status === "error" || row.status === "cancelled");
  if (!failed.length) return null;
  // The chain of retries is one line: the next link hangs on the task that has a failed row now.
  const last = failed.at(-1)?.taskId ?? task.taskId;
  const act = async () => {
    const asked = { path: { task_id: last }, project, key, body: needsBudget ? { budgetUsd: Number(budget) } : {} };
    const made = await insist(() => body("post", `${TASKS}/{task_id}/retry`, asked)).catch((error: unknown) => {
      if (error instanceof Problem && error.kind === "budget-reached") setNeedsBudget(true);
      throw error;
    });
    await client.invalidateQueries({ queryKey: ["tasks", project] });
    if (isHere(place)) go(href({ view: "task", project, task: made.taskId }));
  };
  return (
    <div class="retry">
      {!hasUnread(failed) && <span class="quiet small wide-only">{t("errorHelp")}</span>}
      {needsBudget && <NewBudget text={budget} set={setBudget} />}
      <Act class="first" act={act} disabled={needsBudget && !(Number(budget) > 0)}>{t(hasUnread(failed) ? "readRest" : "retry", { n: failed.length })}</Act>
    </div>
  );
}

/** A task with its retries, from the last that the table shows back to it: none is left behind without the table that it mended. */
async function family(project: string, task: Task, rows: Result[]): Promise<string[]> {
  const found = new Set<string>();
  for (const id of new Set(rows.map((row) => row.taskId))) {
    for (let at: string | undefined = id; at && at !== task.taskId && !found.has(at); ) {
      found.add(at);
      at = (await body("get", `${TASKS}/{task_id}`, { path: { task_id: at }, project })).retryOf;
    }
  }
  return [...found, task.taskId];
}

function Remove({ place, task, rows }: { place: Here; task: Task; rows: Result[] }) {
  const { project } = place;
  const [asking, setAsking] = useState(false);
  const act = async () => {
    for (const id of await family(project, task, rows)) await body("delete", `${TASKS}/{task_id}`, { path: { task_id: id }, project });
    await client.invalidateQueries({ queryKey: ["tasks", project] });
    if (isHere(place)) go(href({ view: "tasks", project }));
  };
  return (
    <>
      <button type="button" class="plain careful" onClick={() => setAsking(true)}>{t("deleteTask")}</button>
      {asking && <Question title={t("deleteTaskAsk")} text={t("deleteTaskWhy")} yes={t("yesDeleteTask")} no={t("keep")} act={act} close={() => setAsking(false)} />}
    </>
  );
}
