/** Reads the inputs, once: each row is judged, planned, counted and staged; what hangs on other rows waits in the stage until the last is read. */

import { optionName } from "../errors/option-name.js";
import { createProgress, type Progress } from "../events/progress.js";
import type { Timing } from "../events/timing.js";
import type { MigrationEvent, ProgressEvent } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import { type ExampleCounter, finding } from "../events/findings.js";
import { Tally } from "../events/tally.js";
import type { HashConfig } from "../hash/hash.js";
import type { SignerKeys } from "../hash/signer-keys.js";
import type { Digester } from "../plan/digests.js";
import { keptParts } from "../plan/account-plan.js";
import { type Carried, NOTHING_CARRIED } from "../plan/carried.js";
import type { Policy } from "../plan/policy.js";
import { type Input, totalBytes } from "../source/inputs.js";
import { columnFields, vendorFields } from "./field-events.js";
import type { FieldsRead } from "../source/fields/field-watch.js";
import { showName } from "../source/show-name.js";
import type { ColumnsRead, ReadOptions, SourceItem } from "../source/source.js";
import { type Inspection, Inspector } from "./inspection.js";
import { planItem, type PlanningContext, planRecord, planWaiting } from "./plan-row.js";
import { NOTHING_SHARED } from "./facts.js";
import { readJoined } from "./joined-input.js";
import type { Stage } from "./stage.js";
import type { UserRecord } from "../account/user-record.js";
import type { Part } from "../events/shard.js";
import { PasswordJoin } from "../password-export/join.js";
import type { PasswordExport } from "../password-export/load-export.js";

/** The most unknown fields that a finding names. */
const MOST_FIELDS = 20;

/** Looks at rows as they are read. */
export interface RowWatch {
  /** Takes rows in their order, those of one input after another's. */
  take(input: Input, items: readonly SourceItem[]): void;
  /**
   * After the last row, where users' hashes come apart.
   *
   * @param answered a record that was taken with what the password export says of its hash
   */
  settle(answered: (record: UserRecord) => UserRecord): void;
}

/** The run's options that a reading needs. */
export interface InspectionOptions {
  /** The files in the order in which they are read, from `openInputs`. */
  readonly inputs: readonly Input[];
  /** What to do with users who could go either way. */
  readonly policy: Policy;
  /** What is sent of accounts beside contacts and hashes; nothing by default. */
  readonly carried?: Carried | undefined;
  /** Rows are kept as they stand in the inputs, to be written out; not by default. */
  readonly keepsRaw?: boolean | undefined;
  /** The vendor account's scrypt parameters, where the export needs them. */
  readonly hashConfig: HashConfig | null;
  /** The run's signer key. Signer keys that hashes carry are compared with it. */
  readonly signerKeys: SignerKeys;
  /** Keeps equal ids of two databases apart; `""` by default. */
  readonly namespace: string;
  /** Where the users' hashes come apart: what `loadPasswordExport` returns, open until the end. */
  readonly passwordExport?: PasswordExport | undefined;
  /** Which part of an export that was split the files are; undefined for a whole export. */
  readonly part?: Part | undefined;
  /** Is handed all rows; a proof finds its users so, by `UserSearch`. */
  readonly watch?: RowWatch | undefined;
  /** Every field of the inputs is told, by an event of its own; none by default. */
  readonly tellsFields?: boolean | undefined;
}

/** What a reading needs of the run. */
export interface ReadingRun {
  /** Gets all rows, each with its user. */
  readonly stage: Pick<Stage, "take" | "planWaiting" | "settle"> &
    Partial<Pick<Stage, "directory">>;
  readonly signal: AbortSignal;
  readonly emit: (event: MigrationEvent) => void;
  readonly timing: Timing;
  /** When the run began, by `timing`. */
  readonly start: number;
  readonly digester: Digester;
  /** What its progress is told as; `census` by default. */
  readonly phase?: ProgressEvent["phase"];
}

/** Its rows are counted apart from the run's. */
interface CountedRun extends ReadingRun {
  readonly tally: Tally;
  readonly progress: Progress;
}

/**
 * Reads all inputs from end to end: each row is judged, planned, counted and staged, once.
 *
 * @returns what was found out until the end, or until `signal` stopped it
 * @throws RunError when an input can't be read, `hash_config_missing`, or `disk`
 */
export async function readInputs(options: InspectionOptions, run: ReadingRun): Promise<Inspection> {
  const { inputs, passwordExport, part, watch, carried = NOTHING_CARRIED } = options;
  const { stage, signal, emit, timing, start, digester, phase = "census" } = run;
  const tally = new Tally();
  const counters = { tally, timing, start, pace: null, phase, totalBytes: totalBytes(inputs) };
  const counted = { ...run, tally, progress: createProgress(emit, counters) };
  const inspector = new Inspector();
  const join =
    passwordExport === undefined ? null : new PasswordJoin(passwordExport, part !== undefined);
  const shared = { ...options, carried, inspector, digester, join };
  const contexts = new Map<Input, PlanningContext>();
  for (const input of inputs) {
    if (signal.aborted) break;
    const { vendor, onWord, source } = input;
    const facts = inspector.begin(input);
    const context = { ...shared, vendor, onWord, source: source.name, facts };
    contexts.set(input, context);
    await readOne(input, context, options, counted);
  }
  // Whoever stops a run needn't wait for what all rows say.
  if (signal.aborted) return inspector.result(tally.readSoFar(), NOTHING_SHARED, join);
  const contextAt = (input: Input): PlanningContext => {
    const context = contexts.get(input);
    if (context === undefined) throw new RangeError("No row of this input was read.");
    return context;
  };
  if (join !== null) {
    join.settle();
    watch?.settle((record) => join.answered(record));
    stage.planWaiting((input, row, waiting) =>
      waiting.verdict === null
        ? planRecord(join.answered(waiting.record), row, contextAt(input))
        : waiting,
    );
  }
  stage.planWaiting((input, row, waiting) => planWaiting(waiting, row, contextAt(input)));
  return inspector.result(tally.readSoFar(), stage.settle(digester), join);
}

async function readOne(
  input: Input,
  context: PlanningContext,
  options: InspectionOptions,
  { stage, signal, tally, progress, emit }: CountedRun,
): Promise<void> {
  const { facts, carried } = context;
  const { keepsRaw = false, watch } = options;
  const mapping = (options.tellsFields === true && (await input.inferred?.())) || null;
  const telling = fieldsEmitter(input, options, { emit, signal, mapping });
  const reading = { signal, progress, keepsAccount: keptParts(carried), keepsRaw, ...telling };
  let cutOff = false;
  const onAlone = (alone: ExampleCounter): void => {
    emit({ type: "finding", ...finding("input_doubtful", alone, ALONE) });
  };
  const joining = { ...reading, directory: stage.directory, onAlone };
  for await (const items of readJoined(input, joining)) {
    if (signal.aborted) return;
    watch?.take(input, items);
    for (const item of items) {
      facts.countRow(item);
      const isRow = item.kind !== "truncated";
      if (isRow) tally.read();
      stage.take(input, item, isRow ? planItem(item, rowOf(input.path, item), context) : null);
    }
    cutOff = items.at(-1)?.kind === "truncated";
    progress.tick();
  }
  facts.isWhole = !signal.aborted && !cutOff;
}

const ALONE =
  "These objects say something of a user, such as a second factor, and name none that is in their file. Export the users together with them, in one file.";

/** @returns the listeners that tell the fields of `input` at the end of its reading */
function fieldsEmitter(
  { path }: Input,
  { passwordExport, tellsFields = false, carried = NOTHING_CARRIED }: InspectionOptions,
  { emit, signal, mapping }: Pick<ReadingRun, "emit" | "signal"> & { mapping: string | null },
): Pick<ReadOptions, "onColumns" | "onFields" | "tellsPaths"> {
  const onColumns = ({ unmatched, ...columns }: ColumnsRead): void => {
    // An interrupted reading knows the columns of half a file only.
    if (signal.aborted) return;
    if (tellsFields) for (const field of columnFields(columns)) emit({ ...field, file: path });
    emit({ type: "columns", file: path, ...columns, mapping });
    if (unmatched.length > 0 && columns.rows > 0) {
      const columnsSeen = { count: unmatched.length, rows: [] };
      const detail = `In ${path}: ${unmatched.join(", ")}. ${optionName("--map")} names a value of these columns that no row has. If it is mistyped, users who should be kept out are let in, or users who should be let in are kept out; compare it with the export. In a part of an export the value may just be missing.`;
      emit({ type: "finding", ...finding("input_doubtful", columnsSeen, detail) });
    }
    const hashes = columns.read.filter(({ as }) => as === "hash");
    const hasHash = hashes.some(({ filled }) => filled > 0);
    // With a password export, users get their hashes from its file.
    if (hasHash || columns.rows === 0 || passwordExport !== undefined) return;
    const all = { count: columns.rows, rows: [] };
    const names = hashes.map(({ name }) => showName(name)).join(", ");
    const lacks = names === "" ? "no column or property holds passwords" : `${names} is empty`;
    emit({ type: "finding", ...finding("no_hash_column", all, `In ${path} ${lacks}.`) });
  };
  const onFields = (read: FieldsRead): void => {
    if (signal.aborted) return;
    if (tellsFields)
      for (const field of vendorFields(read, carried)) emit({ ...field, file: path });
    const { unknown, more } = read;
    if (read.lacksBans) {
      const all = { count: read.rows, rows: [] };
      emit({ type: "finding", ...finding("bans_not_exported", all, `In ${path}.`) });
    }
    if (unknown.length === 0) return;
    const names = unknown
      .slice(0, MOST_FIELDS)
      .map(
        (field) =>
          `${showName(field.path)} (${field.types.join(" or ")}, ${field.rows === 1 ? "1 row" : `${field.rows} rows`})`,
      );
    const others = more || unknown.length > MOST_FIELDS ? " and others" : "";
    const detail = `In ${path}: ${names.join(", ")}${others}.`;
    const counted = { count: unknown.length, rows: [] };
    emit({ type: "finding", ...finding("field_unknown", counted, detail) });
  };
  return { onColumns, onFields, tellsPaths: tellsFields };
}
