/** `auth-migrate setup`: walks from an export to a working configuration, writes it at the very end, and says how to go on. */

import type { CoreTarget } from "../../core/core.js";
import { DEFAULT_CONFIG } from "../config-file.js";
import { DEFAULT_CORE_CONFIG } from "../core-config.js";
import { requireApart, standardInput, tellOwnCode, withPasswords } from "../given-inputs.js";
import { inputNamer } from "../input-database.js";
import { canceled } from "../setup/asker.js";
import { MARGIN, openAsker } from "../setup/clack-asker.js";
import { requireMendable } from "../setup/configuration.js";
import type { ChosenCore } from "../setup/steps.js";
import { importCommandOf, tellClosing } from "../setup/instructions.js";
import { setup } from "../setup/setup-options.js";
import { knownBefore, requireAnswers, walk } from "../setup/walk.js";
import { STANDARD_INPUT } from "../../source/input-bytes.js";
import { requireReadable } from "../options/reading.js";
import { createReporter } from "../reporter.js";
import { verb } from "../verb.js";

export const setupVerb = verb({
  options: setup,
  examples: [
    "auth-migrate setup",
    "auth-migrate setup users.csv --data auth-core.db --prove passwords.csv --no-input",
  ],
  configures: true,
  check(files, values, { io, canPrompt }) {
    requireReadable(files, values, io);
    requireApart(files, { "--config": values.config ?? DEFAULT_CONFIG });
    const isAsked = canPrompt && !files.includes(STANDARD_INPUT);
    if (!isAsked) requireAnswers(files, values);
  },
  async run(files, values, terminal) {
    const { io } = terminal;
    const places = {
      config: values.config ?? DEFAULT_CONFIG,
      coreConfig: values.coreConfig ?? DEFAULT_CORE_CONFIG,
    };
    await requireMendable(places, terminal.note);
    const stdin = standardInput(files, io.stdin);
    tellOwnCode({ from: values.from }, terminal);
    const asker =
      terminal.canPrompt && stdin === undefined
        ? await openAsker(io, { title: "auth-migrate setup", canceled })
        : null;
    asker?.say(
      "Type back in place of an answer, or choose it in a list, to return to the question before.",
    );
    const { answers, written } = await withPasswords([], values, terminal, async (given) => {
      const { passwordExport } = given;
      const nameInputs = inputNamer(values, terminal);
      const columns = terminal.layout.columns - MARGIN;
      const { onEvent: onProgress } = createReporter(terminal);
      const streams = { stdin, passwordExport, nameInputs, columns, onProgress };
      return walk(await knownBefore(files, values, streams), asker, places);
    });
    asker?.end(written.length > 0 ? "The configuration is written." : "Nothing had to be written.");
    const command = importCommandOf(answers, places, values);
    if (values.json) {
      const core = targetOf(answers.core);
      const { proved: provedHere } = answers.proof;
      // Whether people can sign in at a remote core, its sign-in alone can say.
      const proved = provedHere && answers.core.kind === "embedded";
      const { rejects } = answers.foreseen.summary;
      const found = { core, proved, provedHere, written, command, rejects };
      terminal.event({ type: "setup", ...found, exitCode: 0 });
    } else {
      const closing = { places, written, command, prove: values.prove, isShown: asker !== null };
      tellClosing(answers, closing, terminal);
    }
    return 0;
  },
});

/** The core in the form that an import's summary has. */
function targetOf(core: ChosenCore): CoreTarget {
  return core.kind === "remote"
    ? { kind: "remote", url: core.url, dialect: core.dialect.name }
    : { kind: "embedded", file: core.data };
}
