import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import type { Command } from "commander";
import { processIo } from "../../src/cli/io.js";
import { allCommands, createProgram } from "../../src/cli/program.js";
import type { ImportSummary, MigrationEvent, ValidateSummary } from "../../src/events/events.js";
import { purgeCheckpoint } from "../../src/checkpoint/purge.js";
import { reconcileUsers } from "../../src/reconcile/reconcile-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { csvOf, newMigration } from "../run/support/run.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { ROOT } from "./source-files.js";

const newPath = temporaryPaths();
const DOCS = readDocs();
const COMMANDS = allCommands(createProgram("0.0.0", () => {}, processIo()));

function readDocs(): string {
  const folder = join(ROOT, "docs");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  return [join(ROOT, "README.md"), ...pages].map((path) => readFileSync(path, "utf8")).join("\n");
}

/** As it is typed. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Those of some names that no page has in code style, alone or with more behind it. */
function missing(names: Iterable<string>): string[] {
  return [...new Set(names)].filter((name) => !new RegExp(`[\`"]${name}(?![\\w-])`).test(DOCS));
}

describe("the docs name", () => {
  it("every command", () => {
    const names = COMMANDS.map(nameOf);
    expect(names).toContain("auth-migrate checkpoint purge");
    expect(missing(names)).toEqual([]);
  });

  it("every flag of every command", () => {
    const flags = COMMANDS.flatMap(({ options }) => options.map(({ long }) => long ?? ""));
    expect(flags.length).toBeGreaterThan(20);
    expect(missing(flags)).toEqual([]);
  });

  it("every exit code", () => {
    const rows = DOCS.match(/^\| [\d, ]+ \|/gm) ?? [];
    const named = new Set(rows.flatMap((row) => row.match(/\d+/g) ?? []));
    expect(Object.keys(EXIT_CODES).filter((code) => !named.has(code))).toEqual([]);
  });
});

describe("help", () => {
  it("says what every command and every flag is for", () => {
    const silent = COMMANDS.flatMap((command) => [
      ...(command.description() === "" ? [command.name()] : []),
      ...command.options.filter(({ description }) => description === "").map(({ flags }) => flags),
    ]);
    expect(silent).toEqual([]);
  });

  it("has every flag and the exit codes in the text that people see", () => {
    for (const command of COMMANDS) {
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      for (const { long } of command.options) expect(help).toContain(long);
      for (const code of Object.keys(EXIT_CODES)) expect(help).toContain(`  ${code}  `);
    }
  });
});

describe("the docs of the machine output name", () => {
  type Summary = ImportSummary | ValidateSummary;

  /** What an import and a dry run tell. */
  async function tellAll(): Promise<{ events: MigrationEvent[]; summaries: Summary[] }> {
    const events: MigrationEvent[] = [];
    const onEvent = (event: MigrationEvent): void => void events.push(event);
    const migration = newMigration(newPath);
    const rows = [
      { id: "1", email: "ada@example.com", hash: KNOWN_HASHES.bcrypt.passwordHash },
      { id: "2" },
      { id: "3", disabled: "true" },
    ];
    const file = migration.write("users.csv", csvOf(rows));
    let now = 0;
    const timing = { now: () => (now += 2000), random: () => 0, sleep: async () => {} };
    const dry = await validateUsers(await migration.options([file], { onEvent, timing }));
    const { summary } = await migration.run([file], { onEvent, timing });
    return { events, summaries: [dry, summary] };
  }

  it("every field of the summary, down to the calls", async () => {
    const { summaries } = await tellAll();
    const fields = summaries.flatMap((summary) => [
      ...fieldsOf(summary),
      ...summary.hashes.flatMap((hash) => Object.keys(hash)),
    ]);
    expect(fields).toEqual(expect.arrayContaining(["read", "calls", "lookup", "ready", "cost"]));
    expect(missing(fields)).toEqual([]);
  });

  it("every field of what is said of a checkpoint", async () => {
    const migration = newMigration(newPath);
    const rows = [{ id: "1", email: "ada@example.com", hash: KNOWN_HASHES.bcrypt.passwordHash }];
    await migration.run([migration.write("users.csv", csvOf(rows))]);
    const { checkpoint, core } = migration;
    const told: object[] = [];
    const asking = {
      core,
      checkpoint,
      binding: { kind: "embedded", coreId: core.coreId },
    } as const;
    const reconciled = await reconcileUsers({
      ...asking,
      // As if somebody had removed the user: a difference is told as well.
      core: { ...core, getUser: async () => null },
      ...{ targetMoved: false, sample: "all", concurrency: 1, namespace: "" },
      onEvent: (event) => void told.push(event),
    });
    const { status, ...purge } = purgeCheckpoint(checkpoint);
    expect(told).toHaveLength(1);
    const lines = [status, purge, reconciled, reconciled.counts.passwordless, ...told];
    const types = ["status", "purge", "difference", "reconcile", "users", "unfinished"];
    expect(missing([...types, ...lines.flatMap(fieldsOf)])).toEqual([]);
  });

  it("every event and every field of it", async () => {
    const { events } = await tellAll();
    const types = events.map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(["reject", "skip", "columns", "finding", "progress"]));
    const told = ["failure", "listening", "summary", "error", "message", "url", "exitCode", "v: 1"];
    expect(missing([...types, ...events.flatMap((event) => fieldsOf(event)), ...told])).toEqual([]);
  });
});

/** Names of fields, also of those one level down that stand for themselves rather than for data. */
function fieldsOf(value: object): string[] {
  const data = ["algorithms", "rejects", "skips", "notices", "failures", "differences"];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isRecord = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    return isRecord && !data.includes(name) ? [name, ...Object.keys(inner)] : [name];
  });
}
