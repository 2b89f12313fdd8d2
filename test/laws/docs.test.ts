import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { Command } from "commander";
import { commanderOption } from "../../src/cli/options/option.js";
import { loadVerbs } from "../../src/cli/program.js";
import type { MigrationEvent } from "../../src/events/events.js";
import type { ImportSummary, ValidateSummary } from "../../src/events/summary.js";
import { purgeCheckpoint } from "../../src/checkpoint/purge.js";
import { reconcileUsers } from "../../src/reconcile/reconcile-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { csvOf, newMigration } from "../run/support/run.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { ROOT } from "./source-files.js";

const newPath = temporaryPaths();
const DOCS = readDocs();
const VERBS = await loadVerbs();

function readDocs(): string {
  const folder = join(ROOT, "docs");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  return [join(ROOT, "README.md"), ...pages].map((path) => readFileSync(path, "utf8")).join("\n");
}

/** Those of some names that no page has in code style, alone or with more behind it. */
function missing(names: Iterable<string>): string[] {
  return [...new Set(names)].filter((name) => !new RegExp(`[\`"]${name}(?![\\w-])`).test(DOCS));
}

describe("the docs name", () => {
  it("every command", () => {
    const names = [...VERBS.keys()].map((name) => `auth-migrate ${name}`);
    expect(names).toContain("auth-migrate checkpoint purge");
    expect(missing(names)).toEqual([]);
  });

  it("every flag of every command", () => {
    const flags = [...VERBS.values()].flatMap(({ options }) =>
      Object.values(options).map((option) => option.flags.replace(/ .*/, "")),
    );
    expect(flags.length).toBeGreaterThan(20);
    expect(missing(flags)).toEqual([]);
  });

  it("every exit code", () => {
    const rows = DOCS.match(/^\| [\d, ]+ \|/gm) ?? [];
    const named = new Set(rows.flatMap((row) => row.match(/\d+/g) ?? []));
    expect(Object.keys(EXIT_CODES).filter((code) => !named.has(code))).toEqual([]);
  });
});

describe("the help of every command", () => {
  /** As a terminal of 80 columns shows it. */
  function helpOf(name: string): string {
    const command = new Command(name);
    VERBS.get(name)?.declare(command, true);
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    return help;
  }

  it("has every flag, two examples of the command, and says where the exit codes are", () => {
    for (const [name, { options }] of VERBS) {
      const help = helpOf(name);
      for (const { flags } of Object.values(options)) expect(help).toContain(`  ${flags} `);
      expect(help.match(new RegExp(`^  auth-migrate ${name}\\b`, "gm"))).toHaveLength(2);
      expect(help).toContain("help exit-codes");
    }
  });

  it("begins with the options of every day, and says what each option is for", () => {
    for (const [name, { options }] of VERBS) {
      expect(
        helpOf(name)
          .match(/^.* options:$|^[A-Z].*:$/gm)
          ?.slice(0, 2),
      ).toContain("Everyday options:");
      expect(Object.values(options).filter(({ help }) => help === "")).toEqual([]);
    }
  });
});

describe("every option", () => {
  it("has the name that its flag has", () => {
    for (const { options } of VERBS.values()) {
      const names = Object.values(options).map((spec) => commanderOption(spec).attributeName());
      expect(names).toEqual(Object.keys(options));
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
    const reconciled = await reconcileUsers({
      checkpoint,
      // As if the user had been removed: a difference is told as well.
      core: { ...core, getUser: async () => null },
      sample: "all",
      concurrency: 1,
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
