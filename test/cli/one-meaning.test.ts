import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SOURCES } from "../../src/source/registry.js";
import { type Fixture, fixturesOf } from "../source/fixtures.js";
import { runCli } from "../support/cli.js";
import { tried } from "../support/repeated.js";
import { HASH_CONFIG, workFolders } from "./support.js";

const workFolder = workFolders();

const FIXTURES = SOURCES.flatMap((source) =>
  fixturesOf(source).map((fixture) => [`${source.name}/${fixture.file}`, fixture] as const),
);

/** How an export comes, and what it is called then. */
interface Way {
  readonly isPacked: boolean;
  place(file: string): string;
}

const AS_A_FILE: Way = { isPacked: false, place: (file) => file };
const OTHER_WAYS: Readonly<Record<string, Way>> = {
  "by standard input": { isPacked: false, place: () => "-" },
  "packed, by standard input": { isPacked: true, place: () => "-" },
  "packed, in a folder": { isPacked: true, place: (file) => `export/${file}.gz` },
};

const REPORTS = ["json", "text", "markdown", "csv", "junit", "html", "prometheus"];

/** All that is told of an export and written about it, by the command or the file's name. */
async function toldOf({ file, bytes, options }: Fixture, { isPacked, place }: Way) {
  const cwd = workFolder();
  const content = isPacked ? gzipSync(bytes) : bytes;
  const path = place(file);
  const [named = path] = path.split("/");
  const stdin = path === "-" ? content : "";
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  if (path !== "-") writeFileSync(join(cwd, path), content);
  const maps = [...options.map].flatMap(([field, column]) => ["--map", `${field}=${column}`]);
  const reading = [named, ...maps, "--hash-config", HASH_CONFIG];
  const told: Record<string, string> = {};
  const run = async (command: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...command.split(" "), ...args], { cwd, stdin });
    told[command] = `${code}\n${stdout}\n${stderr}`;
  };
  await run("validate --json", ...reading);
  await run("validate --rejects-out unready", ...reading);
  await run("import --json --rejects-out rejects", ...reading);
  for (const format of REPORTS) await run(`report --with-ids --format ${format}`);
  for (const name of readdirSync(cwd).filter((each) => /^(unready|rejects)/.test(each)))
    told[name] = readFileSync(join(cwd, name), "utf8");
  const alike = Object.entries(told).map(([what, text]) => [what, withoutNames(text, file)]);
  return Object.fromEntries(alike);
}

/** Without the export's name, and what differs from run to run. */
function withoutNames(text: string, file: string): string {
  const names = [
    `(export/)?${file}(\\.gz)?`,
    "standard input",
    "(?<=[a-z] )export(?= [-<\\\\])",
    // What a file of rejects may be called goes by the export's name.
    '(?<=--rejects-out )rejects(\\.csv|\\.ndjson)?(?=")',
    // As a word, or as what no spreadsheet takes for a formula.
    '(?<=[\\s">;])\'?-(?=[\\s"<,;:.])',
  ];
  const plain = text.replaceAll("\\n", "\n").replaceAll('\\"', '"').replaceAll("&#95;", "_");
  return plain
    .replace(new RegExp(names.join("|"), "g"), "NAME")
    .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z| \d\d:\d\d UTC)/g, "THEN")
    .replace(/(?<="elapsedMs":|_seconds )[\d.]+|\b\d+\.\d s\b/g, "SOME")
    .replace(/\b[0-9a-f]{32}\b|\b[0-9a-f]{8}…/g, "ID")
    .replace(/\s+/g, " ");
}

describe("an export means the same in each line, report and rejects file, however it comes:", () => {
  it.each(tried(FIXTURES, 1))("%s", async (_name, fixture) => {
    const told = await toldOf(fixture, AS_A_FILE);
    for (const [way, other] of Object.entries(OTHER_WAYS))
      expect(await toldOf(fixture, other), way).toEqual(told);
  });
});
