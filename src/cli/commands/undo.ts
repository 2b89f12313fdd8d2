/** `auth-migrate undo`: removes the users whom an import made at the core, before the cut-over. It asks first. */

import { boundCore } from "../../checkpoint/status.js";
import { coreText } from "../../report/summary-text.js";
import { count, grouped } from "../../report/text.js";
import { undoText } from "../../report/undo-text.js";
import { pace } from "../../run/shared-options.js";
import { type UndoCounts, type Undone, undoUsers } from "../../undo/undo-users.js";
import { openTarget, type Target, withCore } from "../core-target.js";
import type { ExitCode } from "../exit-codes.js";
import { type Interruption, watchSignals } from "../interruption.js";
import { checkpoint } from "../options/general.js";
import { type OptionSpecs, pick, type ValuesOf } from "../options/option.js";
import { core, gentle, target } from "../options/target.js";
import { vault, vaultOf } from "../options/vault.js";
import { confirm as agree, requireAgreeable } from "../prompts.js";
import { createReporter } from "../reporter.js";
import { resumeCommand } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
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

async function undoWith(
  target: Target,
  values: ValuesOf<typeof options>,
  terminal: Terminal,
  interruption: Interruption,
): Promise<ExitCode> {
  const reporter = createReporter(terminal);
  const undone = await undoUsers({
    ...values,
    ...target,
    concurrency: values.concurrency,
    vault: vaultOf({ ...values, upstream: undefined }),
    hints: "flags",
    signal: interruption.signal,
    confirm: (counts) => confirm(target, { ...values, counts }, terminal),
    onEvent: reporter.onEvent,
  });
  const exitCode = (undone.interrupted ? interruption.exitCode() : null) ?? exitCodeOf(undone);
  terminal.answer({ type: "summary", ...undone, exitCode }, () =>
    undoText(undone, reporter.issues().groups, terminal.layout),
  );
  return exitCode;
}

function exitCodeOf({ failed, left }: Undone): ExitCode {
  if (failed > 0) return 75;
  return left > 0 ? 65 : 0;
}

/** @throws RunError `confirmation_declined` */
async function confirm(
  { core }: Target,
  { counts, yes }: { readonly counts: UndoCounts; readonly yes: boolean },
  terminal: Terminal,
): Promise<void> {
  const { users, queued, existed } = counts;
  const all = users + queued;
  const inQueue = queued === 0 ? "" : `, of whom ${grouped(queued)} wait in its queue or did`;
  const before = existed === 0 ? "" : ` ${count(existed, "user")} who were there before stay.`;
  terminal.note(
    `${coreText(core.target)}: up to ${count(all, "user")} of this migration ${all === 1 ? "is" : "are"} removed${inQueue}.${before}`,
  );
  if (!yes) await agree("removal", terminal, `Remove them from ${coreText(core.target)}?`);
}
