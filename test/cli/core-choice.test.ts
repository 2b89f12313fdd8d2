import { Command } from "commander";
import { expect, it } from "vitest";
import { coreChoiceOf, settleCoreChoice } from "../../src/cli/core-choice.js";
import { type CoreConfig, loadCoreConfig } from "../../src/cli/core-config.js";

const URL = "postgres://ana@127.0.0.1/auth";

/** A command whose options were given by these sources. */
function command(given: { readonly [option: string]: readonly [value: string, source: string] }) {
  const made = new Command().option("--data <file>").option("--database-url <url>");
  for (const [option, [value, source]] of Object.entries(given)) {
    made.setOptionValueWithSource(option, value, source as "cli" | "env" | "config");
  }
  return made;
}

const withConfig = (env: NodeJS.ProcessEnv): Promise<CoreConfig> =>
  loadCoreConfig(null, () => {}, { env, listens: true });

it.each([
  ["cli", "env", "data"],
  ["cli", "config", "data"],
  ["env", "config", "data"],
  ["env", "cli", "databaseUrl"],
  ["config", "env", "databaseUrl"],
])(
  "a database by %s and a data file by %s: the one nearer to the command line stays",
  (url, data, gone) => {
    const given = command({ databaseUrl: [URL, url], data: ["core.db", data] });
    settleCoreChoice(given);
    expect(given.getOptionValue(gone)).toBeUndefined();
    expect(Object.values(given.opts()).filter((value) => value !== undefined)).toHaveLength(1);
  },
);

it("both by the same way are one too many", () => {
  const given = command({ databaseUrl: [URL, "cli"], data: ["core.db", "cli"] });
  expect(() => settleCoreChoice(given)).toThrow(expect.objectContaining({ code: "usage" }));
});

it("a password is refused on the command line alone, and not repeated", () => {
  const url = URL.replace("@", ":canary@");
  settleCoreChoice(command({ databaseUrl: [url, "env"] }));
  settleCoreChoice(command({ databaseUrl: [url, "config"] }));
  const refused = () => settleCoreChoice(command({ databaseUrl: [url, "cli"] }));
  expect(refused).toThrow(expect.objectContaining({ code: "usage" }));
  expect(refused).not.toThrow(/canary/);
});

it("what no option says the core's configuration does, down to the size of the pool", async () => {
  const none = await withConfig({});
  expect(coreChoiceOf({}, none, () => {})).toEqual({ kind: "file", file: "auth-core.db" });
  const config = await withConfig({ DATABASE_URL: URL, DATABASE_POOL_SIZE: "4" });
  expect(coreChoiceOf({}, config, () => {})).toMatchObject({
    ...{ kind: "database", database: { host: "127.0.0.1", database: "auth", poolSize: 4 } },
  });
  expect(coreChoiceOf({ data: "own.db" }, config, () => {})).toEqual({
    ...{ kind: "file", file: "own.db" },
  });
  const file = await withConfig({ DATA: "other.db" });
  expect(coreChoiceOf({ databaseUrl: URL }, file, () => {})).toMatchObject({ kind: "database" });
});

it("a configuration that names a data file and a database is refused", async () => {
  await expect(withConfig({ DATA: "core.db", DATABASE_URL: URL })).rejects.toMatchObject({
    ...{ code: "config_invalid" },
  });
});
