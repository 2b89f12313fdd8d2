/** `auth-migrate doctor`: what can be known of this machine and a core by reading, in one call, for bug reports and CI. It tells no key and no user. */

import { type Examined, examineConnection, versionsOf } from "../../core/http/examine.js";
import type { CoreTarget } from "../../core/core.js";
import { coreText } from "../../report/summary-text.js";
import { fitted, hanging } from "../../report/layout.js";
import { type Check, examineCore } from "../../run/examine-core.js";
import { coreChoiceOf } from "../core-choice.js";
import { connectionOf, openChosen, withCore } from "../core-target.js";
import { type ExitCode, exitCodeOfError } from "../exit-codes.js";
import type { MachineEvent } from "../../events/lines/lines.js";
import { packageVersion } from "../../files/package-version.js";
import { loadKeys } from "../secrets.js";
import type { Terminal } from "../terminal.js";
import { omit, type ValuesOf } from "../options/option.js";
import { core } from "../options/target.js";
import { verb } from "../verb.js";
import { grouped } from "../../report/text.js";

const options = omit(core, "concurrency", "targetMoved");

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
    const exitCode: ExitCode = code === null ? 0 : exitCodeOfError(code);
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

/** What is seen of a core. */
interface Seen
  extends Pick<Line, "interfaceVersions" | "certificate" | "clockAheadMs" | "firstAnswerMs"> {
  readonly core: CoreTarget;
  readonly checks: readonly Check[];
}

async function remote(values: Values, given: string, terminal: Terminal): Promise<Seen> {
  const connection = await connectionOf(values, given, terminal);
  const { connectCore } = await import("../../core/http/client.js");
  const opened = connectCore({ ...connection, connections: 1 });
  const examined = await examineConnection(connection);
  const interfaceVersions = await versionsOf({ ...connection, connections: 1 });
  return withCore(opened, async () => {
    const checks = await examineCore(opened);
    return { core: opened.target, interfaceVersions, ...shown(examined), checks };
  });
}

/** A missing data file is no core, and no file is made. */
async function embedded(values: Values, terminal: Terminal): Promise<Seen> {
  const { coreConfig, signerKey } = await loadKeys(values, terminal);
  const choice = coreChoiceOf(values, coreConfig, terminal.note);
  const settings = { signerKey, ...coreConfig.options, mustExist: true };
  const opened = await openChosen(choice, settings, true);
  return withCore(opened, async () => {
    const checks = (await examineCore(opened)).map((check) =>
      check.name === "signer_key" ? signerKeyCheck(check, signerKey !== null) : check,
    );
    const { target } = opened;
    return { core: target, interfaceVersions: null, ...shown(null), checks };
  });
}

function signerKeyCheck(check: Check, isThere: boolean): Check {
  return isThere
    ? { ...check, state: "ok", says: "a signer key is configured for the embedded core" }
    : { ...check, state: "absent", says: "no signer key is configured for the embedded core" };
}

function shown(examined: Examined | null): Omit<Seen, "core" | "interfaceVersions" | "checks"> {
  const { certificate = null, clockAheadMs = null, firstAnswerMs = null } = examined ?? {};
  return {
    certificate: certificate && {
      ...certificate,
      validUntil: new Date(certificate.validUntil).toISOString(),
    },
    clockAheadMs,
    firstAnswerMs,
  };
}

const STATES = { ok: "ok", absent: "not offered", failed: "FAILED", unknown: "not known" } as const;

function textOf(line: Line & Seen, { layout }: Terminal): string[] {
  const { version, node, platform, checks } = line;
  const rows = [
    ...checks.map(({ name, state, says }) => [name, STATES[state], says] as const),
    ...factsOf(line),
  ];
  const failures = checks.filter(({ state }) => state === "failed");
  const verdict = failures.flatMap(({ hint }) => fitted(hint, layout.columns));
  return [
    `auth-migrate ${version}, Node.js ${node}, ${platform}`,
    describe(line),
    "",
    ...rows.flatMap(([name, state, says]) =>
      hanging(`  ${name.padEnd(18)} ${state.padEnd(11)} `, says, layout.columns),
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

function factsOf({
  core: target,
  certificate,
  clockAheadMs,
  firstAnswerMs,
}: Seen): (readonly [string, string, string])[] {
  if (target.kind === "embedded") return [];
  const answer = `${firstAnswerMs} ms, the connection included`;
  return [
    tlsFact(certificate, target.url),
    clockAheadMs === null ? ["clock", UNKNOWN, ""] : ["clock", "ok", clockText(clockAheadMs)],
    firstAnswerMs === null ? ["first_answer", UNKNOWN, ""] : ["first_answer", "ok", answer],
  ];
}

const UNKNOWN = STATES.unknown;

function tlsFact(certificate: Line["certificate"], url: string): readonly [string, string, string] {
  if (certificate !== null) {
    const { protocol, issuer, validUntil } = certificate;
    return [
      "tls",
      "ok",
      `${protocol}, verified; issued by ${issuer}, until ${validUntil.slice(0, 10)}`,
    ];
  }
  return url.startsWith("http:")
    ? ["tls", "none", "http:"]
    : ["tls", UNKNOWN, "a proxy stands between, or nothing answered"];
}

/** The header that tells it has whole seconds. */
function clockText(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (seconds <= 1) return "the core's agrees with this machine's";
  return `the core's is ${grouped(seconds)} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine's`;
}
