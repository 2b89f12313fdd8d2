/** The proof in a run: its users are found while the inputs are read, and it is made and weighed before anything is sent. */

import { dirname } from "node:path";
import { otherKey, shownBy } from "../run/kept-proofs.js";
import type {
  BeforeBulk,
  EarlierProof,
  FittedHash,
  ImportOptions,
  ProofResult,
} from "../run/options.js";
import type { RowWatch } from "../stage/read-inputs.js";
import { type Inspection, untriedKinds } from "../stage/inspection.js";
import { UserSearch } from "../prove/find-users.js";
import { KeptRows } from "../prove/kept-rows.js";
import { type LocalProof, proveFound } from "../prove/prove-test-users.js";
import { provedUsers } from "../prove/sign-ins.js";
import { allProved } from "../prove/proof.js";
import { TraceCheck } from "../prove/trace.js";
import { countProved } from "../events/standing.js";
import { RunError } from "../errors/run-error.js";
import { readPasswordsFile, type TestUser } from "../source/passwords-file.js";
import { readProofTrace } from "./config-file.js";
import { judgedSignIns, proofFailed } from "./core-proof.js";
import type { GeneralValues } from "./options/general.js";
import { nothingProved, type ProofValues } from "./options/proving.js";
import type { TargetValues } from "./options/target.js";
import { declined } from "./prompts.js";
import { proveByAsking } from "./prove-by-asking.js";
import { openAsker } from "./setup/clack-asker.js";
import { withWayBack } from "./setup/asker.js";
import { askForKey } from "./setup/parameters.js";
import type { Terminal } from "./terminal.js";
import { provedText, untriedTexts } from "../report/results.js";
import { count, printable } from "../report/text.js";
import type { Policy } from "../plan/policy.js";
import { type Keys, type KeyValues, loadKeys } from "./secrets.js";
import { type DecidingValues, inputOptions, policyOf } from "./options/reading.js";
import { type GivenUsers, withInputs, withPasswords } from "./given-inputs.js";

/** What the operator wants of the proof. `--config` names where a setup has left the trace of its own. */
type ProofChoices = Partial<
  ProofValues &
    Pick<TargetValues, "yes" | "core" | "dryRun" | "checkpoint"> &
    Pick<ImportOptions, "bulk">
> &
  Pick<GeneralValues, "config">;

/** What was proved on this machine. */
type Local = LocalProof & { readonly users: readonly TestUser[] };

const NO_USERS: Local = { users: [], proofs: [], found: [] };

/** What a run needs for its proof. */
export interface RunProof {
  readonly watch: RowWatch;
  readonly beforeBulk: BeforeBulk;
  /** Forgets what was kept of rows. */
  close(): void;
}

/**
 * Takes the users of `--prove`: they are looked for in the rows that the run reads. Then it proves
 * them, and says what that means for the bulk.
 *
 * @returns its `beforeBulk` throws RunError `proof_failed` naming the first failing user's row and
 *   why; `proof_missing` under `--require-proof` where no user proves the signer key, or none
 *   can sign in at the remote core
 * @throws RunError `config_invalid`
 */
export async function prepareProof(
  choices: ProofChoices,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<RunProof> {
  const { prove: file } = choices;
  const users = file === undefined ? [] : await readPasswordsFile(file);
  const names = users.map(({ user }) => user);
  const search = new UserSearch(names, setting.policy);
  // A proof of `setup` spares no remote core its own.
  const setup = choices.core === undefined ? readProofTrace(choices.config) : null;
  const trace = new TraceCheck(setup, setting);
  const { checkpoint = "" } = choices;
  const { yes, dryRun } = choices;
  // Users may be typed once the rows are read.
  const mayAsk = terminal.canPrompt && yes !== true && dryRun !== true;
  const kept = mayAsk ? new KeptRows(dirname(checkpoint)) : null;
  const weighing = { choices, setting, terminal, trace, kept };
  return {
    watch: {
      take(input, items) {
        search.take(input, items);
        trace.take(input, items);
        kept?.take(input, items);
      },
      settle(answered) {
        search.settle(answered);
        kept?.settle(answered);
      },
    },
    close: () => kept?.close(),
    async beforeBulk(inspection, signal, earlier) {
      const found = await proveFound(users, search.found(), { ...setting, signal });
      const local = { users, ...found };
      if (file !== undefined) requireProved(file, local, inspection, weighing);
      return weigh(local, inspection, { ...weighing, signal, earlier });
    },
  };
}

/** @throws RunError `proof_failed` */
function requireProved(
  file: string,
  { proofs }: Local,
  inspection: Inspection,
  { choices: { core, bulk }, terminal }: Pick<Weighing, "choices" | "terminal">,
): void {
  if (!allProved(proofs)) throw proofFailed(proofs, file);
  const shown = countProved(proofs);
  const isFirst = core !== undefined && shown.sent > 0;
  const joins = bulk === "always" ? "" : " join today and";
  const first = `The import begins with ${count(shown.sent, "user")} whose hash the core takes. They${joins} sign in there before the others are sent.`;
  const proved = provedText(shown, undefined, core && "Proved here");
  terminal.note(isFirst ? `${proved} ${first}` : proved);
  const untried = untriedKinds(inspection, proofs);
  for (const text of untriedTexts({ untried })) terminal.note(text);
}

interface Weighing {
  readonly choices: ProofChoices;
  readonly setting: ProofSetting;
  readonly terminal: Terminal;
  readonly trace: TraceCheck;
  /** Null where no user is asked for. */
  readonly kept: KeptRows | null;
}

/** What the run says when it asks. */
interface AskedNow extends Weighing {
  readonly signal: AbortSignal;
  readonly earlier: EarlierProof;
}

async function weigh(
  local: Local,
  { algorithms }: Inspection,
  weighing: AskedNow,
): Promise<ProofResult> {
  const { choices, terminal, trace, earlier } = weighing;
  const { core, prove: file, dryRun } = choices;
  // A dry run knows no earlier proof.
  const required = choices.requireProof === true && (file !== undefined || !dryRun);
  const before: FittedHash[] = local.proofs.filter((proof) => proof.ok);
  const hasScrypt = (algorithms.vendor_scrypt ?? 0) > 0;
  const needsKey = hasScrypt && !shownBy(before, []).isKey;
  const open = needsKey && earlier.signerKey !== "same";
  const other = open ? otherKey(earlier.signerKey) : null;
  const isShown = hasScrypt ? !open : file !== undefined || earlier.plain;
  if (required && !isShown) throw other ?? nothingProved(file);
  if (trace.proved !== null) {
    before.push(trace.proved);
    terminal.note(
      `Proved by setup: ${open ? "key, parameters and user are" : "the user's hash is"} still the same.`,
    );
  }
  if (needsKey && !open) {
    terminal.note("Proved by an earlier run: key and parameters are still the same.");
  } else if (required && file === undefined) {
    terminal.note("Proved by an earlier run: a test user of the same source could sign in.");
  }
  const isAsked = open && !shownBy(before, []).isKey && !dryRun;
  const asked = isAsked ? await proveNow(weighing) : NO_USERS;
  const users = [local, asked].flatMap((part) => provedUsers(part.users, part));
  const areGiven = local.users.length + asked.users.length > 0;
  // Where the bridge takes all hashes, what was verified here is all that can be.
  const areSent = Object.keys(algorithms).length > 0;
  if (required && areGiven && areSent && users.length === 0) {
    const alone = "bridge alone takes the test users' passwords";
    const what = `Nothing was sent: the ${alone}, so that none of them can be proved at the core.`;
    const hint = "Add a user whose hash the core takes to the file given with --prove.";
    if (core !== undefined) throw new RunError("proof_missing", what, { hint });
    terminal.note(
      `The ${alone}: with --core this import would stop, since --require-proof asks for a sign-in there.`,
    );
  }
  return {
    fitted: [...before, ...asked.proofs.filter((proof) => proof.ok)],
    ...(core !== undefined && users.length > 0
      ? { signIns: judgedSignIns(users, { file, required }) }
      : {}),
  };
}

/** Asks on a terminal: a wrong signer key locks every user out, and no core can tell. */
async function proveNow({
  choices: { core, prove: file },
  setting,
  terminal,
  kept,
  signal,
  earlier,
}: AskedNow): Promise<Local> {
  const where = core !== undefined ? " at the core" : "";
  if (kept === null) {
    const way =
      file === undefined
        ? "; --prove FILE does that with a password."
        : `: no user in ${printable(file)} has a hash that needs it.`;
    terminal.note(`The signer key${where} is not proved${way}`);
    return NO_USERS;
  }
  const other = otherKey(earlier.signerKey);
  const canceled = (): RunError =>
    declined(other?.hint ?? "Prove with --prove FILE, or give --yes to go on without a proof.");
  const asker = await openAsker(terminal.io, { signal, canceled });
  const proved = await withWayBack(asker, (talk) => {
    let { signerKey } = setting;
    const correct = {
      label: "Correct the signer key",
      ask: async () => {
        signerKey = await askForKey(talk);
      },
    };
    return proveByAsking(talk, {
      find: async (name) => kept.find([name], setting.policy)[0] ?? null,
      prove: (users, found) => proveFound(users, found, { ...setting, signerKey }),
      needsKey: true,
      other,
      stopped: canceled,
      // The one that is configured is what the import relies on.
      correct: setting.signerKey === null ? correct : undefined,
    });
  });
  return proved ?? NO_USERS;
}

/** What a proof is made of beside the test users, and a run as well. */
export interface ProofSetting extends GivenUsers, Keys {
  readonly policy: Policy;
  readonly signal?: AbortSignal;
}

/** Reads the keys and opens what is read, lets `work` have them, and closes all behind it. */
export async function withUsers<T>(
  files: readonly string[],
  values: DecidingValues & KeyValues & { readonly passwordExport: readonly string[] },
  terminal: Terminal,
  work: (setting: ProofSetting) => Promise<T>,
): Promise<T> {
  const keys = await loadKeys(values, terminal);
  return withInputs(files, inputOptions(values), terminal, (inputs) =>
    withPasswords(inputs, values, terminal, (given) =>
      work({ ...given, ...keys, policy: policyOf(values, keys) }),
    ),
  );
}
