/** Reads the inputs before anything is planned: first the start of each hash column, then all rows for an inspection. Neither pass counts toward the run. */

import type { Progress } from "../calls/progress.js";
import type { MigrationEvent } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import type { PasswordCoverage } from "../events/summary.js";
import { finding } from "../events/findings.js";
import type { Tally } from "../events/tally.js";
import type { HashConfig } from "../hash/hash.js";
import type { SignerKeys } from "../hash/signer-keys.js";
import type { PlannedUser } from "../plan/action.js";
import type { Contests } from "../plan/contests.js";
import type { Digester } from "../plan/digests.js";
import { keptParts } from "../plan/account-plan.js";
import { type Carried, NOTHING_CARRIED } from "../plan/carried.js";
import type { Policy } from "../plan/policy.js";
import { claimsOf, identityKey } from "../plan/user-keys.js";
import { haveFewUsers, type Input, readInput } from "../source/inputs.js";
import { columnFields, vendorFields } from "./field-events.js";
import type { KeptParts } from "../account/account-parts.js";
import type { FieldsRead } from "../source/fields/field-watch.js";
import { showName } from "../source/show-name.js";
import type { ColumnsRead, ReadOptions, SourceItem } from "../source/source.js";
import { HashColumn } from "./hash-column.js";
import { Inspector, type Inspection, type InspectionSizes } from "./inspection.js";
import { type JudgingContext, judgeRow } from "./judge-row.js";
import type { RowWatch } from "./row-watch.js";
import { planItem, planOf, type PlanningContext } from "./plan-row.js";
import { ContestTaker } from "./take-contests.js";

/** How far the first look goes: far enough to judge a column, and short in a large file. */
const LOOK_HASHES = 20_000;
const LOOK_ROWS = 200_000;

/** The most unknown fields that a finding names. */
const MOST_FIELDS = 20;

/** The run's options that an inspection needs. */
export interface InspectionOptions {
  /** The files in the order in which they are read, from `openInputs`. */
  readonly inputs: readonly Input[];
  /** What to do with users who could go either way. */
  readonly policy: Policy;
  /** What is sent of accounts beside contacts and hashes; nothing by default. */
  readonly carried?: Carried | undefined;
  /** The vendor account's scrypt parameters, where the export needs them. */
  readonly hashConfig: HashConfig | null;
  /** The run's signer key. Signer keys that hashes carry are compared with it. */
  readonly signerKeys: SignerKeys;
  /** Keeps equal ids of two databases apart; `""` by default. */
  readonly namespace: string;
  /** The coverage of the password export that `inputs` are joined with; asked once, at the end. */
  readonly passwordCoverage?: (() => PasswordCoverage) | undefined;
  /** How much the inspection remembers; less in tests. */
  readonly sizes?: InspectionSizes | undefined;
  /** Every field of the inputs is told, by an event of its own; none by default. */
  readonly tellsFields?: boolean | undefined;
}

/** What a look at the start of each input found out. */
export type Columns = ReadonlyMap<Input, HashColumn>;

/**
 * Looks at the start of every hash column. A dry run and an import both begin with it, so that
 * they judge alike from the first row on.
 *
 * @throws RunError when an input can't be read, or `hash_config_missing`
 */
export async function lookAtColumns(
  options: InspectionOptions,
  signal: AbortSignal,
): Promise<Columns> {
  const columns = new Map<Input, HashColumn>();
  for (const input of options.inputs) {
    const column = new HashColumn();
    columns.set(input, column);
    if (!input.readOnce && !signal.aborted) await look(input, options, { signal, column });
  }
  return columns;
}

/** The hash column for a new pass over an input. It knows what the look at the start found. */
export function columnOf(columns: Columns, input: Input): HashColumn {
  return columns.get(input)?.again() ?? new HashColumn();
}

/** What an inspection needs of the run: its rows are counted apart from the run's. */
interface InspectionRun {
  /** Hears of all rows, for the run itself. */
  readonly watch: RowWatch | null;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  readonly progress: Progress;
  readonly emit: (event: MigrationEvent) => void;
  readonly keys: RunDigests;
}

/** What compares the claims of rows to one user or contact. */
export interface RunDigests {
  readonly digester: Digester;
  /** Where a scratch file may be made. */
  readonly directory: string;
}

/**
 * Reads all inputs from end to end for their inspection.
 *
 * @returns what was found out until the end, or until `signal` stopped it
 * @throws RunError as {@link lookAtColumns}
 */
export async function inspectInputs(
  options: InspectionOptions,
  columns: Columns,
  { signal, tally, progress, emit, keys, watch }: InspectionRun,
): Promise<{ readonly inspection: Inspection; readonly contests: Contests }> {
  const all = new Inspector(options.sizes);
  const contests = new ContestTaker(keys.directory, haveFewUsers(options.inputs));
  try {
    for (const input of options.inputs) {
      if (signal.aborted) break;
      const column = columnOf(columns, input);
      const inspector = all.begin(column, input);
      const context = contextOf(options, input, { column, inspector, digester: keys.digester });
      const keepsAccount = neededBy(watch, context.carried);
      const telling = fieldsEmitter(input, options, emit, signal);
      const reading = { signal, progress, keepsAccount, ...telling };
      let cutOff = false;
      for await (const items of readInput(input, reading)) {
        takeRows(items, input, { context, contests, watch, tally });
        cutOff = items.at(-1)?.kind === "truncated";
        progress.tick();
      }
      if (!signal.aborted && !cutOff) inspector.end();
    }
    return { inspection: all.result(), contests: contests.end() };
  } finally {
    contests.end();
  }
}

/** What is read beside contacts and hashes: what is carried of an account may decide who is left out. */
function neededBy(watch: RowWatch | null, carried: Carried): KeptParts | null {
  if (keptParts(carried) === null) return null;
  return watch === null ? "deciding" : "all";
}

interface RowTakers {
  readonly context: PlanningContext;
  readonly contests: ContestTaker;
  readonly watch: RowWatch | null;
  readonly tally: Tally;
}

function takeRows(
  items: readonly SourceItem[],
  input: Input,
  { context, contests, watch, tally }: RowTakers,
): void {
  const users: (PlannedUser | null)[] = [];
  for (const item of items) {
    tally.read();
    context.inspector?.countRow(item);
    const row = rowOf(input.path, item);
    if (watch !== null) {
      const user = item.kind === "truncated" ? null : planItem(item, row, context);
      if (user !== null) contests.take(user.plan, user.keys, () => user.keys.identity);
      users.push(user);
    } else if (item.kind === "record") {
      const { record } = item;
      const plan = planOf(record, row, context);
      const claims = claimsOf(record, plan, row, context.digester);
      contests.take(plan, claims, () => identityKey(record, row, context));
    }
  }
  watch?.take(input, { items, users }, contests.hasFound);
}

/** Reads the start of an input and judges its hashes. */
async function look(
  input: Input,
  options: InspectionOptions,
  { column, signal }: { readonly column: HashColumn; readonly signal: AbortSignal },
): Promise<void> {
  const context = judgingContext(options, input, column);
  let rows = 0;
  let hashes = 0;
  for await (const items of readInput(input, { signal, keepsAccount: null })) {
    rows += items.length;
    for (const item of items) {
      if (item.kind !== "record" || item.record.hash === null) continue;
      hashes += 1;
      judgeRow(item.record, rowOf(input.path, item), context);
    }
    if (hashes >= LOOK_HASHES || rows >= LOOK_ROWS) return;
  }
}

function judgingContext(
  { policy, hashConfig, signerKeys }: InspectionOptions,
  { vendor, onWord }: Input,
  column: HashColumn,
): JudgingContext {
  return { policy, hashConfig, signerKeys, vendor, onWord, column };
}

function contextOf(
  options: InspectionOptions,
  input: Input,
  { column, ...pass }: Pick<PlanningContext, "column" | "inspector" | "digester">,
): PlanningContext {
  const { carried = NOTHING_CARRIED, namespace } = options;
  const judging = judgingContext(options, input, column);
  return { ...judging, ...pass, carried, source: input.source.name, namespace };
}

/** What decides about what is told of fields. */
interface FieldsTold extends Pick<InspectionOptions, "tellsFields" | "carried"> {
  readonly passwordCoverage?: unknown;
}

/** Who listens to what a source says of an input's fields at the end of a reading. */
type FieldListeners = Pick<ReadOptions, "onColumns" | "onFields" | "tellsPaths">;

/** @returns the listeners that tell the fields of `input` */
export function fieldsEmitter(
  { path }: Input,
  { passwordCoverage, tellsFields = false, carried = NOTHING_CARRIED }: FieldsTold,
  emit: (event: MigrationEvent) => void,
  signal: AbortSignal,
): FieldListeners {
  const onColumns = ({ unmatched, ...columns }: ColumnsRead): void => {
    // An interrupted reading knows the columns of half a file only.
    if (signal.aborted) return;
    if (tellsFields) for (const field of columnFields(columns)) emit({ ...field, file: path });
    emit({ type: "columns", file: path, ...columns });
    if (unmatched.length > 0 && columns.rows > 0) {
      const columnsSeen = { count: unmatched.length, rows: [] };
      const detail = `In ${path}: ${unmatched.join(", ")}. --map names a value of these columns that no row has. If it is mistyped, users who should be kept out are let in, or users who should be let in are kept out; compare it with the export. In a part of an export the value may just be missing.`;
      emit({ type: "finding", ...finding("input_doubtful", columnsSeen, detail) });
    }
    const hasHash = columns.read.some(({ as, filled }) => as === "hash" && filled > 0);
    // With a password export, users get their hashes from its file.
    if (hasHash || columns.rows === 0 || passwordCoverage !== undefined) return;
    const all = { count: columns.rows, rows: [] };
    emit({ type: "finding", ...finding("no_hash_column", all, `In ${path}.`) });
  };
  const onFields = (read: FieldsRead): void => {
    if (signal.aborted) return;
    if (tellsFields)
      for (const field of vendorFields(read, carried)) emit({ ...field, file: path });
    const { unknown, more } = read;
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
