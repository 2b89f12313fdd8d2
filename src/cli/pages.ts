/** What `help` tells: of commands, and the pages of docs, which messages name. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { CONTACT_HINTS } from "../account/contact-hints.js";
import { findingHint } from "../events/findings.js";
import { hintFor, refusalsOf } from "../hash/flaw.js";
// Loads all flaws of hashes.
import "../hash/normalize.js";
import { stepText } from "../hash/steps.js";
import { EXCLUSION_HINTS } from "../plan/left-out.js";
import { NO_WAY_IN } from "../plan/plan.js";
import { HINTS as DIFFERENCES } from "../reconcile/compare-user.js";
import { noticeHint } from "../report/notice-hints.js";
import { LEFT } from "../undo/why-left.js";
import { exitStatusHelp } from "./exit-codes.js";
import type { Io } from "./io.js";
import { createTerminal, PLAINLY, type Terminal } from "./terminal.js";

const ROOT = new URL("../../", import.meta.url);
const DOCS = new URL("docs/", ROOT);
/** Pages beside docs. */
const BESIDE = ["SECURITY", "SKILL"];

function fileOf(name: string): URL {
  return new URL(`${name}.md`, BESIDE.includes(name) ? ROOT : DOCS);
}

function textOf(name: string): string {
  return readFileSync(fileOf(name), "utf8");
}

/** Every page, as `vendors/auth0`: those of the map of docs in its order, which is that of the work, then the others. */
function pageNames(): string[] {
  const linked = textOf("README").matchAll(/\]\((?:\.\.\/)?([^)#]+)\.md/g);
  const files = readdirSync(DOCS, { recursive: true, encoding: "utf8" }).sort();
  const others = files.flatMap((file) => /^(.*)\.md$/.exec(file.replaceAll("\\", "/"))?.[1] ?? []);
  const all = new Set(["README", ...Array.from(linked, ([, name = ""]) => name), ...others]);
  // An image has docs alone.
  return [...all].filter((name) => existsSync(fileOf(name)));
}

/** How a page may be typed: as messages name it, by its path, by its last word, a folder for its README. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/#.*$|^\.?\/?docs\/?(?=.)|\/$/g, "")
    .replace(/\.md$/, "")
    .replace(/\/readme$/, "");
}

/** The name of the page that is meant, as `vendors/auth0` for `auth0` or `docs/vendors/auth0.md`; null where there is none. */
function pageNamed(typed: string): string | null {
  if (!existsSync(DOCS)) return null;
  const names = pageNames();
  const meant = plain(typed);
  const is = (read: (name: string) => string) => names.find((name) => read(name) === meant);
  return is(plain) ?? is((name) => plain(name).replace(/^.*\//, "")) ?? null;
}

function pageList(): string[] {
  const names = pageNames();
  const width = Math.max(...names.map(({ length }) => length));
  const lines = names.map((name) => {
    const [, title = ""] = /^# (.*)$/m.exec(textOf(name)) ?? [];
    return `  ${name.padEnd(width)}  ${title}`;
  });
  return [
    "Pages, in the order of work. NAME.md is one that has the name of a command.",
    "Show one: auth-migrate help NAME",
    "",
    ...lines,
  ];
}

/** A line of a block that starts this program; elsewhere its name may be an image's. */
const COMMAND = /^\s*(?:\$ )?(?:\S.* \| )?auth-migrate /;

/** Shows a page: blocks as they stand, all else as wide as the screen, without remarks for tests. */
function showPage(name: string, { io, result, verbatim }: Terminal): void {
  const asItStands = (line: string): void => void io.stdout.write(`${line}\n`);
  let isBlock = false;
  let goesOn = false;
  for (const line of textOf(name).trimEnd().split("\n")) {
    const isFence = line.trimStart().startsWith("```");
    if (isFence) isBlock = !isBlock;
    const isCommand = !goesOn && COMMAND.test(line);
    const write = !isBlock && !isFence ? result : isCommand ? verbatim : asItStands;
    if (!/^<!-- .* -->$/.test(line)) write(line);
    goesOn = isBlock && line.endsWith("\\");
  }
}

/** The words behind `help`, and the command of that name, its options declared. */
interface Asked {
  readonly names: readonly string[];
  readonly command: Command | null;
  readonly io: Io;
}

/** The pages that are the home of codes. */
const HOMES = ["exit-codes", "hashes", "json", "proof", "rejects", "shards"];
/** The codes with which a line of a list or a table begins, before it says what they mean. */
const CODES = /^[-|] `[^:|]*/;

/** What a screen says of a code, where that is one for all users: from where the screen has it. */
const SAID = new Map(
  [CONTACT_HINTS, NO_WAY_IN, EXCLUSION_HINTS, DIFFERENCES, LEFT].flatMap((hints) =>
    Object.entries(hints),
  ),
);

/** What a code means: as a screen says it, else and of a hash the lines of its home, each behind the page's name. */
function linesOfCode(code: string): string[] {
  const homes = HOMES.filter((name) => existsSync(fileOf(name))).flatMap((name) => {
    const lines = textOf(name).split("\n");
    const told = lines.filter((line) => CODES.exec(line)?.[0].includes(`\`${code}\``));
    return told.map((line) => `${name}.md: ${line.slice(2)}`);
  });
  // The page is made of what the bridge keeps of each form.
  const way = homes.some((line) => line.includes(`\`${code}\` *bridged*`)) ? "plain" : null;
  const hashes = refusalsOf(code).map((one) => hintFor(one, way));
  const step = stepText(code);
  const all = findingHint(code) || noticeHint(code) || step;
  const said = [all, SAID.get(code) ?? "", ...new Set(hashes)]
    .filter((hint) => hint !== "")
    .map((hint) => `\`${code}\`: ${hint}`);
  return said.length === 0 || step !== "" || hashes.length > 0 ? [...said, ...homes] : said;
}

/** Tells what `help` has been asked for. Of a command or a code that is a page's name, too, both. */
export function tellHelp(program: Command, { names, command, io }: Asked): void {
  const typed = names.join(" ");
  const terminal = createTerminal(PLAINLY, io);
  if (typed === "exit-codes") {
    return void io.stdout.write(exitStatusHelp(terminal.resultColumns));
  }
  if (typed === "pages") return void pageList().map(terminal.result);
  const page = pageNamed(typed);
  if (command !== null) {
    command.outputHelp();
    if (page !== null) terminal.result(`More: auth-migrate help ${page}.md`);
  } else {
    const lines = linesOfCode(typed);
    for (const line of lines) if (page === null || line.startsWith("`")) terminal.result(line);
    if (page !== null) showPage(page, terminal);
    else if (lines.length === 0) program.error(`error: there is no help for '${typed}'`);
  }
}
