/** `auth-migrate doctor`: what can be known of this machine and a core by reading, in one call, for bug reports and CI. It tells no key and no user. */

import type { CoreTarget } from "../../core/core.js";
import { coreText } from "../../report/summary-text.js";
import { fitted, hanging } from "../../report/layout.js";
import { type Check, examineCore } from "../../run/examine-core.js";
import { coreChoiceOf } from "../core-choice.js";
import { connectionOf, openChosen, withCore } from "../core-target.js";
import { RUN_ERRORS } from "../../errors/run-error.js";
import type { ExitCode } from "../exit-codes.js";
import type { MachineEvent } from "../../events/lines/lines.js";
import { packageVersion } from "../../files/package-version.js";
import { loadKeys } from "../secrets.js";
import type { Terminal } from "../terminal.js";
import type { ValuesOf } from "../options/option.js";
import { whichCore as options } from "../options/target.js";
import { verb } from "../verb.js";

type Values = ValuesOf<typeof options>;
type Line = Omit<Extract<MachineEvent, { readonly type: "doctor" }>, "type">;

export const doctorVerb = verb({
  options,
  examples: [
    "auth-migrate doctor --core https://core.example.com --api-key-file key.txt",
    "auth-migrate doctor --data auth-core.db --json",
  ],
  async run(_files, values, terminal) {
    const seen = await (values.core === undefined
      ? embedded(values, terminal)
      : remote(values, values.core, terminal));
    const code = seen.checks.find(({ state }) => state === "failed")?.code ?? null;
    const exitCode: ExitCode = code === null ? 0 : RUN_ERRORS[code];
    const line: Line = {
      version: packageVersion(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      ...seen,
      exitCode,
    };
    terminal.answer({ type: "doctor", ...line }, () => textOf({ ...line, ...seen }, terminal));
    return exitCode;
  },
});

interface Seen extends Pick<Line, "interfaceVersions"> {
  readonly core: CoreTarget;
  readonly checks: readonly Check[];
}

async function remote(values: Values, given: string, terminal: Terminal): Promise<Seen> {
  const connection = { ...(await connectionOf(values, given, terminal)), connections: 1 };
  const { connectCore } = await import("../../core/http/client.js");
  const opened = connectCore(connection);
  return withCore(opened, async () => {
    const interfaceVersions = await opened.versions();
    const checks = await examineCore(opened);
    return { core: opened.target, interfaceVersions, checks };
  });
}

/** A missing data file is no core, and no file is made. */
async function embedded(values: Values, terminal: Terminal): Promise<Seen> {
  const { coreConfig, signerKey } = await loadKeys(values, terminal);
  const choice = coreChoiceOf(values, coreConfig, terminal.note);
  const settings = { signerKey, ...coreConfig.options, mustExist: true };
  const opened = await openChosen(choice, settings, true);
  return withCore(opened, async () => {
    const keyCheck =
      signerKey === null
        ? { state: "absent" as const, says: "no signer key is configured for the embedded core" }
        : { state: "ok" as const, says: "a signer key is configured for the embedded core" };
    const checks = (await examineCore(opened)).map((check) =>
      check.name === "signer_key" ? { ...check, ...keyCheck } : check,
    );
    return { core: opened.target, interfaceVersions: null, checks };
  });
}

const STATES = { ok: "ok", absent: "not offered", failed: "FAILED", unknown: "not known" } as const;

function textOf(line: Line & Seen, { layout }: Terminal): string[] {
  const { version, node, platform, checks } = line;
  const failures = checks.filter(({ state }) => state === "failed");
  const verdict = failures.flatMap(({ hint }) => fitted(hint, layout.columns));
  return [
    `auth-migrate ${version}, Node.js ${node}, ${platform}`,
    describe(line),
    "",
    ...checks.flatMap(({ name, state, says }) =>
      hanging(`  ${name.padEnd(18)} ${STATES[state].padEnd(11)}   `, says, layout.columns),
    ),
    "",
    ...(verdict.length > 0 ? verdict : ["Nothing is wrong, as far as reading shows."]),
  ];
}

function describe({ core: target, interfaceVersions }: Seen): string {
  if (target.kind === "embedded") return coreText(target);
  const versions = interfaceVersions === null ? "" : `; interface ${interfaceVersions.join(", ")}`;
  return `${coreText(target)} (dialect ${target.dialect ?? "not recognized"}${versions})`;
}
