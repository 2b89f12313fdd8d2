/** A first look at the export: a dry run over the start of each file, what it says, and what the walk asks because of it. */

import type { ColumnsEvent, Finding, ProgressEvent } from "../../events/events.js";
import type { ValidateSummary } from "../../events/summary.js";
import type { HashConfig } from "../../hash/hash.js";
import type { Step } from "../../hash/steps.js";
import type { PasswordExport } from "../../password-export/load-export.js";
import { ALL_OFFERED, type Carried, carriedBy } from "../../plan/carried.js";
import { DEFAULT_POLICY, type Policy } from "../../plan/policy.js";
import { columnLines, coverageText, recognizedText } from "../../report/input-text.js";
import { findingLines } from "../../report/issues-text.js";
import { PLAIN_LAYOUT } from "../../report/layout.js";
import { noticeItems } from "../../report/notice-hints.js";
import { RefusalGroups } from "../../report/refusal-groups.js";
import { counted } from "../../report/results.js";
import { readyText } from "../../report/summary-text.js";
import { count, grouped, sum } from "../../report/text.js";
import type { GivenValidation } from "../../run/defaults.js";
import { validateUsers } from "../../run/validate-users.js";
import { nameOf } from "../../source/input-bytes.js";
import {
  closeInputs,
  type Input,
  type InputOptions,
  openInputs,
  type ReadRun,
} from "../../source/inputs.js";
import type { SourceItem } from "../../source/source.js";
import type { NameInputs } from "../input-database.js";

/** Rows of each file that are looked at. */
const MAX_ROWS = 1000;

/** Nearly every account's parameters: with them a scrypt hash is told from any other salted one. */
const USUAL: HashConfig = { signerKey: null, saltSeparator: "Bw==", rounds: 8, memCost: 14 };
/** How a hash says that it needed them. */
const BUILT = "vendor_scrypt_built" satisfies Step;

/** What was found in the files. */
export interface FirstLook {
  readonly inputs: readonly Input[];
  readonly passwordExport: PasswordExport | undefined;
  /** What people are told, as `validate` tells it. */
  readonly lines: readonly string[];
  /** Of a dry run with {@link USUAL} parameters. */
  readonly summary: ValidateSummary;
  /** Scrypt hashes that need the account's parameters to be built. */
  readonly scrypt: number;
  /** Users whose hash no core takes and the bridge verifies. */
  readonly bridged: number;
  /** What columns are read as, by their shown names; of a CSV or JSON file without a vendor's form. */
  readonly readAs: ReadonlyMap<string, string>;
  /** Flags with values that aren't understood. */
  readonly unread: readonly UnreadFlag[];
  /**
   * What an import would do with the same rows. What was asked before is known.
   *
   * @param carried at the core; by default what every core may take
   * @throws RunError as `validateUsers`
   */
  dryRun(by: Pick<GivenValidation, "hashConfig" | "signerKey">, carried?: Carried): Promise<DryRun>;
}

/** A column that says who is let in, or whose contact is verified, by values that aren't understood. */
export interface UnreadFlag {
  readonly column: string;
  readonly field: "active" | "email_verified" | "phone_verified";
  /** How many rows have each. */
  readonly values: Map<string, number>;
}

/** How the files are to be read. */
export interface LookOptions extends InputOptions {
  /** As in the import; `DEFAULT_POLICY` by default. */
  readonly policy?: Policy;
  /** An open password export, where the users' hashes come apart. */
  readonly passwordExport?: PasswordExport | undefined;
  /** Gives databases in the place of their URLs; absent where none may be named. */
  readonly nameInputs?: NameInputs;
  /** Of the lines that are told. */
  readonly columns?: number;
  /** Told how far a dry run is, as `validate` is. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** @throws RunError as `openInputs` and `validateUsers` */
export async function lookAt(
  files: readonly string[],
  { passwordExport, nameInputs, policy = DEFAULT_POLICY, columns, ...given }: LookOptions,
): Promise<FirstLook> {
  const named = nameInputs === undefined ? files : await nameInputs(files);
  const { onProgress = () => {}, ...options } = given;
  const inputs = await openInputs(named, options);
  // Any user may be whose a line of a password export is.
  const most = passwordExport === undefined ? MAX_ROWS : Number.POSITIVE_INFINITY;
  const starts = inputs.map((input) => startOf(input, most));
  const setting = { inputs: starts, policy, passwordExport };
  const offered = carriedBy(policy, ALL_OFFERED);
  const known = new Map<string, Promise<DryRun>>();
  const dryRun: FirstLook["dryRun"] = ({ hashConfig, signerKey }, carried = offered) => {
    const by = {
      hashConfig: hashConfig ?? USUAL,
      signerKey: signerKey ?? hashConfig?.signerKey ?? null,
      carried,
    };
    const asked = JSON.stringify(by);
    const running = known.get(asked) ?? run({ ...setting, ...by }, onProgress);
    known.set(asked, running);
    return running;
  };
  try {
    const all = await dryRun({});
    const { summary, built: scrypt, bridged, unread } = all;
    const read = all.columns.flatMap((event) => event.read);
    return {
      inputs,
      passwordExport,
      lines: linesOf(inputs, all, columns),
      summary,
      scrypt,
      bridged,
      readAs: new Map(read.map(({ name, as }) => [name, as === "role" ? "roles" : as])),
      unread,
      dryRun,
    };
  } finally {
    await closeInputs(inputs);
  }
}

/** An input's first rows; all of them where rows say something of each other. What can be read once is kept, and read again. */
function startOf(input: Input, most: number): Input {
  let kept: (readonly SourceItem[])[] | null = null;
  async function* read(reading: ReadRun): AsyncGenerator<readonly SourceItem[]> {
    if (kept !== null) {
      yield* kept;
      return;
    }
    if (input.readOnce) kept = [];
    let left = most;
    for await (const items of input.read(reading)) {
      if (items.some((item) => "seeks" in item || "related" in item)) left = Infinity;
      const next = items[left];
      const end = next && ({ kind: "truncated", number: next.number, hint: "" } as const);
      const start = end === undefined ? items : [...items.slice(0, left), end];
      kept?.push(start);
      yield start;
      if (end !== undefined) return;
      left -= items.length;
    }
  }
  return { ...input, read };
}

/** What a dry run told. */
export type DryRun = Awaited<ReturnType<typeof run>>;

async function run(
  { inputs, ...given }: GivenValidation,
  onProgress: (event: ProgressEvent) => void,
) {
  const groups = new RefusalGroups();
  const columns: ColumnsEvent[] = [];
  const findings: Finding[] = [];
  let [built, bridged] = [0, 0];
  const flags = new Map<string, UnreadFlag>();
  const onUnread: ReadRun["onUnread"] = (column, text, field) => {
    const flag = flags.get(column) ?? { column, field, values: new Map() };
    flags.set(column, flag);
    flag.values.set(text, (flag.values.get(text) ?? 0) + 1);
  };
  const summary = await validateUsers({
    ...given,
    inputs: inputs.map((input) => {
      return { ...input, read: (reading) => input.read({ ...reading, onUnread }) };
    }),
    async beforeBulk(inspection) {
      for (const { steps } of inspection.files) built += steps.get(BUILT)?.count ?? 0;
      return { fitted: [] };
    },
    onEvent(event) {
      if (event.type === "progress") onProgress(event);
      else if (event.type === "columns") columns.push(event);
      else if (event.type === "finding") findings.push(event);
      else if (event.type === "reject") {
        groups.add(event);
        if (event.bridge) bridged += 1;
      }
    },
  });
  const unread = [...flags.values()];
  return { summary, columns, findings, rejects: groups.list(), built, bridged, unread };
}

/** Whether all rows were looked at. */
export function isWhole({ truncated }: Pick<ValidateSummary, "truncated">): boolean {
  return truncated.length === 0;
}

/** Vendor scrypt hashes that an import would send. */
export function scryptsOf({ algorithms }: Pick<ValidateSummary, "algorithms">): number {
  return algorithms.vendor_scrypt ?? 0;
}

function linesOf(
  inputs: readonly Input[],
  { summary, columns: seen, findings }: DryRun,
  columns = PLAIN_LAYOUT.columns,
): string[] {
  const { read, passwordExport } = summary;
  // What no row has may stand behind the first ones.
  const doubts = findings.filter(({ code }) => isWhole(summary) && code === "input_doubtful");
  const rejected = rejectedText(summary);
  return [
    ...fileLines(inputs, { summary, columns: seen }),
    ...(isWhole(summary) ? [] : [`Of the first ${count(read, "row")}:`]),
    // That only the beginning was looked at is said above.
    ...readyText({ ...summary, truncated: [] }, { ...PLAIN_LAYOUT, columns }),
    ...(rejected === null ? [] : [`${rejected}.`]),
    ...(passwordExport === null ? [] : [coverageText(passwordExport)]),
    ...doubts.flatMap(findingLines),
  ];
}

/** How each file was recognized, and which of its columns are read as what. */
export function fileLines(
  inputs: readonly Input[],
  { summary: { truncated }, columns }: Pick<DryRun, "summary" | "columns">,
): string[] {
  return [
    ...recognizedText(inputs, nameOf, { tellsIds: true }),
    ...columns.flatMap((event) =>
      columnLines(event, nameOf(event.file), {
        isWhole: !truncated.includes(event.file),
        tellsIds: true,
      }),
    ),
  ];
}

/** What an import would tell of users whom it brings, such as what of theirs stays behind; nothing of hashes once a password is proved. */
export function noticeLines({ summary }: Pick<DryRun, "summary">, proved: boolean): string[] {
  const told = noticeItems(summary.notices).filter(
    ({ code }) => code !== "bridged" && !(proved && OF_HASHES.has(code)),
  );
  if (told.length === 0) return [];
  const lines = told.map(({ code, count, hint }) => `  ${code} ${grouped(count)}: ${hint}`);
  return [`Of users in ${rowsOf(summary)}:`, ...lines];
}

const OF_HASHES: ReadonlySet<string> = new Set(["prehash_possible", "proof_needed"]);

function rowsOf(summary: ValidateSummary): string {
  return `${isWhole(summary) ? "" : "the first "}${count(summary.read, "row")}`;
}

/** Whom an import would reject, in words; null for nobody. */
export function rejectedText(summary: ValidateSummary): string | null {
  const { rejects } = summary;
  const codes = Object.entries(rejects).map(counted);
  return codes.length === 0
    ? null
    : `${grouped(sum(rejects))} of ${rowsOf(summary)} would be rejected: ${codes.join(", ")}`;
}
