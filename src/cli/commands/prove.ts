/** `auth-migrate prove`: verifies test users' passwords here, and where a core is named, imports these users alone and signs in. */

import { RunError } from "../../errors/run-error.js";
import { countProved } from "../../events/standing.js";
import type { CheckpointStatus } from "../../checkpoint/status.js";
import { unfinishedUsers } from "../../errors/unfinished.js";
import type { ImportSummary } from "../../events/summary.js";
import { sourceNames } from "../../source/inputs.js";
import { proveAtCore, provedUsers } from "../../prove/sign-ins.js";
import { allProved, lacksKeyProof, type ProofCode, provedAlgorithms } from "../../prove/proof.js";
import { proveTestUsers, type WholeProof } from "../../prove/prove-test-users.js";
import { checkText } from "../../report/headline.js";
import { proofLines, proofVerdict } from "../../report/proof-text.js";
import { coreText } from "../../report/summary-text.js";
import { readPasswordsFile, type TestUser } from "../../source/passwords-file.js";
import { openTarget, withTarget } from "../core-target.js";
import type { ExitCode } from "../exit-codes.js";
import { watchSignals } from "../interruption.js";
import { confirm, declined } from "../prompts.js";
import { proveByAsking } from "../prove-by-asking.js";
import { withWayBack } from "../setup/asker.js";
import { openAsker } from "../setup/clack-asker.js";
import { type ProofSetting, withUsers } from "../import-proof.js";
import {
  choiceWords,
  newKeyCommand,
  provedImportCommand,
  resumeCommand,
} from "../resume-command.js";
import { bringRemarks, daysText, realCommands } from "../rehearsed.js";
import { pick, type ValuesOf } from "../options/option.js";
import { requireReadable } from "../options/reading.js";
import { proveOptions as options } from "../options/proving.js";
import { finishedBefore, knownValues, knownWords, lackedVault, shellWords } from "../seen-vault.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";
import { importVerb } from "./import.js";

type ProveValues = ValuesOf<typeof options>;

/** The test users with what was found out here. */
interface Local extends WholeProof {
  readonly users: readonly TestUser[];
}

/** All that was found out; `summary` is of the import of the test users, null where none was made. */
interface Outcome extends Pick<WholeProof, "proofs" | "untried" | "rejects"> {
  readonly summary: ImportSummary | null;
}

export const proveVerb = verb({
  options,
  examples: [
    "auth-migrate prove users.json --hash-config hash-config.txt --passwords passwords.csv",
    "auth-migrate prove users.csv --passwords passwords.csv --core https://core.example.com",
  ],
  check(files, values, { io, canPrompt }) {
    requireReadable(files, values, io);
    if (values.passwords !== undefined || canPrompt) return;
    const what = "There are no passwords to prove with, and no terminal to ask for them.";
    throw new RunError("usage", what, {
      hint: "Name a CSV file with --passwords FILE: a line user,password for each test user. Or run it on a terminal, which asks for passwords.",
    });
  },
  run(files, values, terminal) {
    const { passwords: file } = values;
    return withUsers(files, values, terminal, async (setting) =>
      prove(file === undefined ? [] : await readPasswordsFile(file), values, setting, terminal),
    );
  },
});

async function prove(
  users: readonly TestUser[],
  values: ProveValues,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<ExitCode> {
  const interruption = watchSignals(terminal, "Stopping. Once more leaves at once.");
  const { signal } = interruption;
  const tell = (outcome: Outcome, exitCode: ExitCode): ExitCode => {
    const source = sourceNames(setting.inputs);
    if (terminal.outputMode.json) tellJson(terminal, outcome, source, exitCode);
    else tellText(terminal, outcome, values, setting);
    return exitCode;
  };
  try {
    const stoppable = { ...setting, signal };
    const local = await proveHere(users, stoppable, terminal);
    const outcome = await proveFurther(values, local, stoppable, terminal);
    return tell(outcome, exitCodeOf(outcome));
  } catch (error) {
    const exitCode = interruption.exitCode();
    if (exitCode === null || error !== signal.reason) throw error;
    return tell({ proofs: [], untried: {}, rejects: false, summary: null }, exitCode);
  }
}

/**
 * Proves the users that are given or asked for. Where a second one would tell a wrong password from a
 * wrong key, it asks for one; where several have failed another one tells nothing: no two of their
 * passwords are right under one key.
 */
async function proveHere(
  users: readonly TestUser[],
  setting: ProofSetting,
  terminal: Terminal,
): Promise<Local> {
  const canceled = (): RunError => declined("Give passwords by --passwords FILE.");
  const { signal } = setting;
  const asker = terminal.canPrompt ? await openAsker(terminal.io, { signal, canceled }) : null;
  const proved = await withWayBack(asker, (talk) =>
    proveByAsking(talk, {
      users,
      prove: (all) => proveTestUsers(all, setting),
      open(proofs) {
        const [first = null, ...more] = proofs.filter(
          (one) => !one.ok && one.code === "password_or_signer_key",
        );
        return more.length > 0 ? null : first;
      },
      needsKey: true,
    }),
  );
  if (proved === null) throw canceled();
  return proved;
}

/** The second half, where a core is named and every user was proved here. */
async function proveFurther(
  values: ProveValues,
  { users, ...local }: Local,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<Outcome> {
  const { core, data, checkpoint, yes } = values;
  const { proofs } = local;
  const isNamed = (core ?? data) !== undefined;
  // The others' hashes are the bridge's, and no vault is written by a proof.
  const proved = isNamed && allProved(proofs) ? provedUsers(users, local) : [];
  if (proved.length === 0) return { ...local, summary: null };
  const target = await openTarget(values, setting, terminal, { forFew: true });
  return withTarget({ checkpoint }, target, async () => {
    const where = coreText(target.core.target);
    const who = proved.length === 1 ? "the test user" : `the ${proved.length} test users`;
    const question = `Import ${who} into ${where}, unless they are there, and sign in?`;
    const asks = core !== undefined && !yes && terminal.canPrompt;
    if (asks) await confirm("import", terminal, question, setting.signal);
    terminal.note(
      `Signing in as ${who} at ${where}, imported first unless they are there; checkpoint ${checkpoint}`,
    );
    const atCore = await proveAtCore(proved, {
      ...values,
      ...setting,
      ...target,
      command: provedImportCommand(terminal.io.argv, lackedVault(values)),
      policy: { ...setting.policy, onUnusableHash: "reject" },
    });
    const byUser = new Map(atCore.proofs.map((proof) => [proof.user, proof]));
    const all = proofs.map((proof) => byUser.get(proof.user) ?? proof);
    return { ...local, ...atCore, proofs: all };
  });
}

/** Nothing to tell of is what an interruption leaves. */
function tellText(
  terminal: Terminal,
  outcome: Outcome,
  values: ProveValues,
  setting: ProofSetting,
): void {
  const { proofs, summary } = outcome;
  if (proofs.length === 0) {
    terminal.result(
      `Stopped; nothing is proved. To begin again: ${resumeCommand(terminal.io.argv)}`,
    );
    return;
  }
  for (const line of proofLines(proofs, terminal.resultColumns)) terminal.result(line);
  terminal.result("");
  const earlier = finishedBefore(values.checkpoint);
  const known = knownValues(earlier, values);
  const lacked = lackedVault(values, known);
  const key = newKeyCommand(lacked);
  const isNamed = (values.core ?? values.data) !== undefined;
  const begin = [
    ...(key === null ? [] : [`The bridge's vault needs a key, which this makes: ${key}`]),
    ...(isNamed || earlier !== null
      ? []
      : ["The import takes --core URL as well, unless its configuration names your core."]),
    `To begin: ${provedImportCommand(terminal.io.argv, [...knownWords(known), ...lacked])}`,
  ];
  const next = onceImported(earlier, values, setting, terminal.io.argv) ?? begin;
  const users = countProved(proofs.filter((proof) => proof.ok));
  const concluding = { ...outcome, core: summary?.core ?? null, users, next };
  for (const line of proofVerdict(proofs, concluding)) terminal.result(line);
}

/** What is next where an import of these files, with every choice of this reading, is finished by the checkpoint, and nothing is left to prove: a core of one's own behind a rehearsal. A choice of the import alone takes nothing from it. */
function onceImported(
  earlier: CheckpointStatus | null,
  { checkpoint, passwords: prove }: ProveValues,
  { inputs }: ProofSetting,
  argv: readonly string[],
): string[] | null {
  if (earlier === null || earlier.cut !== null) return null;
  const words = shellWords(earlier.command ?? "");
  const areNamed = inputs.every(({ path }) => words.includes(path));
  const taken = choiceWords(["", "", ...words.slice(words.indexOf("import"))]);
  if (!choiceWords(argv).every((choice) => taken.includes(choice))) return null;
  if (!areNamed || earlier.unproved + unfinishedUsers(earlier) > 0) return null;
  const { shard: part, vault } = earlier;
  const values = { checkpoint, vault: vault?.file };
  const { options } = importVerb;
  const real = realCommands({ summary: earlier, part, options, values, inputs, prove });
  const brings = bringRemarks(real, daysText(real)).map(
    ({ text, command }) => `${text} ${command}`,
  );
  const [first = checkText(earlier), ...then] = brings;
  return [`The import of these files is finished. ${first}`, ...then];
}

const NO_REASON = { code: null, hint: null, fitsBridge: undefined } as const;

function tellJson(
  terminal: Terminal,
  { proofs, untried, summary }: Outcome,
  source: string,
  exitCode: ExitCode,
): void {
  for (const proof of proofs) {
    const { user, row, sourceId, algorithm, steps, signedIn } = proof;
    const { code, hint, fitsBridge } = proof.ok ? NO_REASON : proof;
    const bridged = proof.ok && proof.bridged;
    const what = { row, sourceId, algorithm, bridged, steps, code, hint, fitsBridge, signedIn };
    terminal.event({ type: "proof", user, verdict: proof.ok ? "proved" : "failed", ...what });
  }
  terminal.event({
    type: "summary",
    command: "prove",
    source,
    core: summary?.core ?? null,
    users: proofs.length,
    algorithms: provedAlgorithms(proofs),
    untried,
    outcomes:
      summary &&
      pick(summary, "imported", "created", "existed", "skipped", "rejected", "failed", "unchanged"),
    proved: allProved(proofs) && !lacksKeyProof(untried),
    elapsedMs: Math.round(performance.now()),
    checkpoint: summary?.checkpoint ?? null,
    interrupted: proofs.length === 0,
    exitCode,
  });
}

/** A user who isn't found has a wrong name, and a core that doesn't answer may answer later; everything else is a proof that failed or is missing. */
function exitCodeOf({ proofs, untried }: Outcome): ExitCode {
  if (allProved(proofs)) return lacksKeyProof(untried) ? 78 : 0;
  const allAre = (code: ProofCode): boolean => proofs.every((one) => one.ok || one.code === code);
  if (allAre("user_not_found")) return 66;
  return allAre("sign_in_failed") ? 75 : 78;
}
