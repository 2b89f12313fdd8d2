/** `auth-migrate undo`: removes the users whom an import made at the core, before the cut-over. It asks first. */

import { boundCore, readStatus } from "../../checkpoint/status.js";
import { commandLines, fitted } from "../../report/layout.js";
import { coreText } from "../../report/summary-text.js";
import { count } from "../../report/text.js";
import { undoText } from "../../report/undo-text.js";
import { pace } from "../../run/shared-options.js";
import { type Undone, undoUsers } from "../../undo/undo-users.js";
import { openTarget, type Target, withCore } from "../core-target.js";
import type { ExitCode } from "../exit-codes.js";
import { type Interruption, watchSignals } from "../interruption.js";
import { checkpoint } from "../options/general.js";
import { type OptionSpecs, pick, type ValuesOf } from "../options/option.js";
import { core, gentle, target } from "../options/target.js";
import { vault, vaultOf } from "../options/vault.js";
import { confirm, requireAgreeable } from "../prompts.js";
import { createReporter } from "../reporter.js";
import { checkpointWords, commandLine, resumeCommand } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
import { knownValues, lackedVault } from "../seen-vault.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";

const options = {
  ...core,
  ...checkpoint,
  ...pace,
  ...pick(vault, "vault", "vaultKeyFile"),
  ...gentle,
  assumeNeverSignedIn: {
    ...target.assumeNeverSignedIn,
    group: "Everyday options",
    help: "at a core that doesn't say who has signed in: vouch that no application lets people in there yet",
    docs: "On the command line alone",
    variable: false,
    configured: false,
  },
  dryRun: {
    flags: "--dry-run",
    help: "remove nothing, and say whom it would remove",
  },
  yes: {
    flags: "--yes",
    group: "Output and questions",
    help: "don't ask before users are removed",
    docs: "Needed without a terminal",
  },
} as const satisfies OptionSpecs;

type Values = ValuesOf<typeof options>;

export const undoVerb = verb({
  options,
  examples: [
    "auth-migrate undo --dry-run",
    "auth-migrate undo --core https://core.example.com --api-key-file key.txt",
  ],
  check(_files, { checkpoint, dryRun, yes }, { canPrompt, io }) {
    const what = `what ${checkpoint} has brought`;
    requireAgreeable(what, resumeCommand([...io.argv, "--dry-run"]), dryRun || yes || canPrompt);
  },
  async run(_files, values, terminal) {
    // Before a core is opened.
    boundCore(values.checkpoint);
    const keys = await loadKeys(values, terminal);
    const target = await openTarget(values, keys, terminal, { mustExist: true });
    const interruption = watchSignals(terminal, "Stopping. Once more leaves at once.");
    return withCore(target.core, () => undoWith(target, values, terminal, interruption));
  },
});

/** Where it asks, it looks first, and says whom it would remove and who would stay. */
async function undoWith(
  target: Target,
  values: Values,
  terminal: Terminal,
  interruption: Interruption,
): Promise<ExitCode> {
  const undo = (dryRun: boolean) => undoOnce(target, { ...values, dryRun }, terminal, interruption);
  // Without the vault that users depend on it stops at once, and asks nothing before.
  if (!values.dryRun && !values.yes && lackedWords(values).length === 0) {
    const { undone, lines } = await undo(true);
    const { removed, queued, failed } = undone;
    if (removed + queued + failed > 0 && !undone.interrupted) {
      for (const line of lines) terminal.note(line);
      const off = queued === 0 ? "" : ` and ${count(queued, "account")} of its queue`;
      const whom = `${count(removed, "user")}${off}`;
      await confirm("removal", terminal, `Remove ${whom} from ${coreText(target.core.target)}?`);
    }
  }
  const { undone, lines } = await undo(values.dryRun);
  const ended = undone.failed > 0 ? 75 : undone.left > 0 ? 65 : 0;
  const exitCode = (undone.interrupted ? interruption.exitCode() : null) ?? ended;
  terminal.answer({ type: "summary", ...undone, exitCode }, () => lines);
  return exitCode;
}

async function undoOnce(
  target: Target,
  values: Values,
  terminal: Terminal,
  { signal }: Interruption,
): Promise<{ readonly undone: Undone; readonly lines: readonly string[] }> {
  const reporter = createReporter(terminal);
  const undone = await undoUsers({
    ...values,
    ...target,
    concurrency: values.concurrency,
    vault: vaultOf({ ...values, upstream: undefined }),
    signal,
    onEvent: reporter.onEvent,
  });
  const { layout, resultColumns } = terminal;
  const lines = undoText(undone, reporter.issues().groups, layout);
  const [text, command] = nextOf(undone, values, terminal);
  lines.push(...fitted(text, layout.columns), ...commandLines(command, resultColumns));
  return { undone, lines };
}

/** The words that an undo lacks to erase what a vault has of users who are removed; none where it needs no vault. */
function lackedWords(values: Values): string[] {
  const status = readStatus(values.checkpoint);
  const { vault: kept, bridged } = status;
  if (values.vault !== undefined || kept === null || bridged === kept.lost) return [];
  const bridge = { ...values, onUnusableHash: "bridge", upstream: undefined } as const;
  return lackedVault(bridge, knownValues(status, bridge));
}

/** What is next after an undo, or a dry run of one: what it came to, and the command. */
function nextOf(undone: Undone, values: Values, { io, canPrompt }: Terminal): [string, string] {
  const { argv } = io;
  const { dryRun, removed, queued, failed, skips, interrupted } = undone;
  if (interrupted || failed > 0) return ["To go on:", resumeCommand(argv)];
  const lacked = dryRun ? lackedWords(values) : [];
  const kept = lacked.length === 0 ? "" : VAULT_TEXT;
  const yes = values.yes || canPrompt ? [] : ["--yes"];
  const words = [...argv.filter((word) => word !== "--dry-run"), ...lacked, ...yes];
  if (skips.sign_in_unknown !== undefined) {
    return [
      `${kept}Where no application lets people in there yet, this removes those of sign_in_unknown as well:`,
      resumeCommand([...words, "--assume-never-signed-in"]),
    ];
  }
  if (dryRun && removed + queued > 0) return [`${kept}To remove them:`, resumeCommand(words)];
  const status = commandLine(["status", ...checkpointWords(values)]);
  return ["Where it stands, and which import brings who was removed anew:", status];
}

const VAULT_TEXT =
  "Old passwords of some are in the bridge's vault. An undo takes it, and leaves who has signed in by the bridge, which the vault alone shows. ";
