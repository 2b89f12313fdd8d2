/** What the walk leaves the operator with: where the signer key belongs, the command of the import and a snippet for CI. No text of it holds a secret. */

import { groupLines } from "../../report/issues-text.js";
import { commandLines, fitted } from "../../report/layout.js";
import { count, grouped, printable, sum } from "../../report/text.js";
import { showName } from "../../source/show-name.js";
import { SIGNER_KEY_FIELD } from "../core-config.js";
import { DEFAULT_CONFIG } from "../config-file.js";
import { omit, pick, wordsOf } from "../options/option.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { DEFAULT_DATA } from "../core-choice.js";
import { DEFAULT_CHECKPOINT } from "../options/general.js";
import { daysText, isDayByBulk } from "../rehearsed.js";
import { commandLine, newKeyCommand } from "../resume-command.js";
import { bridgeWords, finishedBefore, knownValues, lackedVault } from "../seen-vault.js";
import { mappingPathOf, moduleOf, type Places, type PlannedFile } from "./configuration.js";
import type { Terminal } from "../terminal.js";
import { ofFiles, setup, type SetupValues } from "./setup-options.js";
import { fileLines, isWhole, noticeLines, rejectedText } from "./first-look.js";
import type { Answers } from "./steps.js";
import { rowText } from "../../errors/place.js";

/** Where an API key that was typed is to be written. */
const KEY_FILE = "api-key.txt";
/** Answers with a line of their own, or that another file has. */
const SHOWN_APART = ["core", "data", "map", "hashConfig"] as const;
const TYPED_KEY = `The API key that was typed is kept nowhere. Write it into ${KEY_FILE}, which the import below names and nobody else may read (chmod 600 ${KEY_FILE}); or leave --api-key-file out, and set AUTH_MIGRATE_API_KEY.`;
const SIGNER_KEY_VARIABLE = SIGNER_KEY_FIELD.toUpperCase();

/** All answers, a line each, without any secret. */
export function answerLines(answers: Answers, planned: readonly PlannedFile[]): string[] {
  const { look, core } = answers;
  const { hashConfig, signerKey } = answers.parameters;
  const { proved, user } = answers.proof;
  const rejected = rejectedText(answers.foreseen.summary);
  const key = signerKey && "a signer key, not shown";
  const values =
    hashConfig &&
    `rounds ${hashConfig.rounds}, mem_cost ${hashConfig.memCost}, base64_salt_separator ${hashConfig.saltSeparator}`;
  const parameters = [values, key].filter(Boolean).join(", ");
  const row = user === null ? "" : ` by ${rowText(user.row)}`;
  return [
    ...fileLines(look.inputs, answers.foreseen),
    ...(parameters === "" ? [] : [`Scrypt: ${parameters}`]),
    `Core: ${core.kind === "remote" ? core.url : `embedded, ${core.data}`}`,
    ...saidLines(answers),
    ...("roles" in answers.options ? [`Roles: ${answers.options["roles"] ?? "left behind"}`] : []),
    `Proof: ${proved ? `on this machine${row}` : "none"}`,
    ...(rejected === null ? [] : [`Rejects: ${rejected}`]),
    ...noticeLines(answers.foreseen, proved),
    `To write: ${planned.map(({ path, replace }) => (replace ? `${path} (there already)` : path)).join(", ")}`,
  ];
}

/** What was said of columns, and the other options that the import gets. */
function saidLines({ options }: Answers): string[] {
  const { map, roles: _own, ...others } = options;
  const words = wordsOf(omit(setup, ...SHOWN_APART), others);
  const said = [map ?? []].flat().map((pair) => {
    const [field, column = "", ...value] = String(pair).split("=");
    const where = value.length === 0 ? "" : ` where it says ${showName(value.join("="))}`;
    return `Column ${showName(column)}: ${field}${where}`;
  });
  return words.length === 0 ? said : [...said, `Options: ${printable(words.join(" "))}`];
}

/** The import, exactly as it is typed; what isn't in it is in the configuration file. */
export function importCommandOf(answers: Answers, places: Places, values: SetupValues): string {
  const { options, core, foreseen } = answers;
  const module = moduleOf(answers);
  const isByQueue = core.kind === "remote" && core.joinedByQueue;
  const isLost =
    isByQueue && isDayByBulk([{ ...foreseen.summary, users: sum(foreseen.summary.ready) }]);
  return commandLine([
    "import",
    ...answers.look.inputs.map(({ path }) => path),
    ...(module === null ? [] : ["--from", module]),
    ...(answers.mapping === null ? [] : ["--mapping", mappingPathOf(places)]),
    ...wordsOf(ofFiles, values),
    ...(typeof options["roles"] === "string" ? ["--roles", options["roles"]] : []),
    ...(isLost ? ["--bulk", "always"] : []),
    ...(isKeyTyped(answers) ? ["--api-key-file", KEY_FILE] : []),
    ...(places.config === DEFAULT_CONFIG ? [] : ["--config", places.config]),
    ...keptWords(answers),
  ]);
}

/** What brings users for the bridge of earlier imports into the same core. */
function keptWords({ core }: Answers): string[] {
  const planned = { onUnusableHash: DEFAULT_POLICY.onUnusableHash };
  const known = knownValues(finishedBefore(DEFAULT_CHECKPOINT), planned);
  const [before, now] =
    core.kind === "remote" ? [known.core, core.url] : [known.data ?? DEFAULT_DATA, core.data];
  return before === now ? [...bridgeWords(known), ...lackedVault(planned, known)] : [];
}

/** What is told at the end beside the answers. */
interface Closing {
  readonly places: Places;
  readonly written: readonly string[];
  /** The import. */
  readonly command: string;
  /** The file of test users, where one was given. */
  readonly prove: string | undefined;
  /** Whether the answers were shown before they were written. */
  readonly isShown: boolean;
}

/** Tells what there is to say once all is written. Commands can be copied as they stand. */
export function tellClosing(
  answers: Answers,
  { places, written, command, prove, isShown }: Closing,
  terminal: Pick<Terminal, "note" | "result" | "verbatim" | "layout" | "resultColumns">,
): void {
  const read = (text: string | null): void => {
    if (text !== null) for (const line of ["", ...text.split("\n")]) terminal.result(line);
  };
  const copied = (lines: readonly string[]): void => {
    for (const line of ["", ...lines]) terminal.verbatim(line);
  };
  const commands = (...lines: readonly string[]): void =>
    copied(lines.flatMap((line) => commandLines(line, terminal.resultColumns)));
  const bridge = command.includes(" --vault ") ? null : bridgeText(answers);
  const unseen = [
    ...fileLines(answers.look.inputs, answers.foreseen),
    ...noticeLines(answers.foreseen, answers.proof.proved),
  ];
  if (!isShown) for (const line of unseen) terminal.note(line);
  terminal.result(
    written.length > 0 ? `Written: ${written.join(", ")}` : "Everything was there already.",
  );
  read(mappingText(answers, places));
  const paths = answers.look.inputs.map(({ path }) => path);
  const check = commandLine(["check-source", mappingPathOf(places), ...paths]);
  if (answers.mapping !== null) commands(check);
  read(remoteKeyText(answers));
  read(isKeyTyped(answers) ? TYPED_KEY : null);
  read(unprovedText(answers, prove));
  const rejects = rejectsLines(answers, terminal.layout);
  if (rejects.length > 0) {
    for (const line of ["", ...rejects]) terminal.result(line);
    commands(command.replace(/ import\b/, " validate"));
  }
  read(bridge);
  if (bridge !== null) {
    const lacked = lackedVault({ onUnusableHash: "bridge" });
    const kept = `${command} --on-unusable-hash bridge ${lacked.join(" ")}`;
    commands(...[newKeyCommand(lacked) ?? [], kept].flat());
  }
  read(
    `To import${daysText({ commands: [command], ...pick(answers.foreseen.summary, "social") })}:`,
  );
  commands(command);
  const ofImport = answers.mapping === null ? [] : [mappingPathOf(places)];
  read(`The same in CI, with ${[places.config, ...ofImport].join(" and ")} in the checkout:`);
  copied(ciLines(answers, command).map((line) => `  ${line}`));
}

/** Whom the import would reject, why, and the ways on; what shows all of them follows. */
function rejectsLines(answers: Answers, layout: Terminal["layout"]): string[] {
  const { summary, rejects, bridged } = answers.foreseen;
  const text = rejectedText(summary);
  if (text === null) return [];
  const kept = bridged > 0 ? `, or ${summary.rejected - bridged} with the bridge` : "";
  const number = isWhole(summary) ? `${summary.rejected}${kept}` : "N";
  return [
    ...fitted(`${text}, and an import ends with 65.`, layout.columns),
    ...groupLines(rejects, layout),
    "",
    ...fitted(
      `Mend the rows as each code says, or give the import below the option that it names; to go on without them, give it --accept-rejects ${number}. This says it of all rows:`,
      layout.columns,
    ),
  ];
}

/** The three ways in which a remote core gets the signer key (interface.md 4.5), by the name that it has for it. */
function remoteKeyText({ core, parameters }: Answers): string | null {
  if (core.kind !== "remote" || parameters.signerKey === null) return null;
  const { signerKeyField } = core.dialect;
  return [
    "Before the import, give the core the signer key (base64_signer_key of the vendor's console) in one of three ways:",
    `  a managed core: the field ${signerKeyField} of its dashboard`,
    "  a core of your own: the same in its configuration file",
    `  a core in a container: the variable ${signerKeyField.toUpperCase()}`,
  ].join("\n");
}

/** A key that was typed is in no file that the import could read. */
function isKeyTyped({ core }: Answers): boolean {
  return core.kind === "remote" && core.isKeyTyped;
}

/** What the mapping is for, where one was made. */
function mappingText(answers: Answers, places: Places): string | null {
  const path = mappingPathOf(places);
  if (answers.mapping !== null) {
    return `${path} says what each column is, as it was said or read by its name; it can be shared. \`auth-migrate validate\` with --mapping and --fields says what each of its paths has read; this checks it:`;
  }
  return answers.options.map === undefined
    ? null
    : "No mapping says all that was said of the columns, so the configuration keeps it as --map.";
}

/** How users keep passwords whose hashes no core takes. */
function bridgeText({ look: { bridged, summary } }: Answers): string | null {
  return bridged === 0
    ? null
    : `${grouped(bridged)} of the ${count(summary.read, "user")} looked at ${bridged === 1 ? "has" : "have"} a hash that no core takes: without the bridge no such user is imported. It verifies their passwords at their first sign-in and carries them over. To import with it, in place of the command below:`;
}

/** What setup can't have proved of a remote core, and what does. */
function unprovedText(
  { core, proof: { proved }, parameters }: Answers,
  prove: string | undefined,
): string | null {
  if (core.kind !== "remote") return null;
  const here = proved ? "Proved on this machine. " : "";
  const open = `${here}Not proved: that people can sign in at the core${parameters.signerKey === null ? "" : ", which has a signer key of its own"}.`;
  return prove === undefined
    ? `${open} Add --prove FILE to the import, a CSV of test users, user,password a line: it imports them first and signs in as each of them there before it sends any other user.`
    : `${open} The import does that: it imports the users of ${prove} first and signs in as each of them there before it sends any other user.`;
}

/** A step of a CI job, narrow enough for any terminal; its secrets come from the CI's own store. */
function ciLines({ core, parameters }: Answers, command: string): string[] {
  const secrets = [
    ...(core.kind === "remote" ? ["AUTH_MIGRATE_API_KEY"] : []),
    ...(parameters.signerKey === null ? [] : [SIGNER_KEY_VARIABLE]),
  ];
  // Here it may have been started by npx, and a job has its key from the store.
  const words = command.replace(/^npx /, "").replace(` --api-key-file ${KEY_FILE}`, "");
  return [
    "- run: >-",
    // What isn't installed there is never fetched: the lock file says which version runs.
    ...`npx --no-install ${words.replaceAll(" --", "\n--")}`
      .split("\n")
      .map((line) => `    ${line}`),
    "    --no-input --json",
    ...(secrets.length === 0 ? [] : ["  env:"]),
    ...secrets.flatMap((name) => [`    ${name}:`, `      \${{ secrets.${name} }}`]),
  ];
}
