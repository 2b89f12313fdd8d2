import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { afterEach, describe, expect, it, vi } from "vitest";
import { commanderOption, type OptionSpecs } from "../../../src/cli/options/option.js";
import { readValues } from "../../../src/cli/options/read.js";
import { mapping, text } from "../../../src/cli/options/types.js";
import { callRate } from "../../../src/run/shared-options.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
afterEach(() => vi.unstubAllEnvs());
const KNOWN = new Set(["hashConfig", "config", "data", "rate", "map", "quiet", "input", "port"]);

const OPTION = { group: "Everyday options", help: "what a move needs" } as const;
/** A command of its own, so that the tests hold for any option that there will be. */
const SPECS = {
  config: { ...OPTION, flags: "--config <file>", type: text },
  data: { ...OPTION, flags: "--data <file>", type: text, default: "core.db" },
  hashConfig: { ...OPTION, flags: "--hash-config <file>", type: text },
  rate: { ...OPTION, flags: "--rate <n>", type: callRate },
  map: { ...OPTION, flags: "--map <pair>", type: mapping, repeated: true },
  quiet: { ...OPTION, flags: "--quiet" },
  input: { ...OPTION, flags: "--no-input" },
} as const satisfies OptionSpecs;

async function read(argv: readonly string[], specs: OptionSpecs = SPECS) {
  const command = new Command("move");
  for (const spec of Object.values(specs)) command.addOption(commanderOption(spec));
  command.parse([...argv], { from: "user" });
  const { config: _config, ...values } = await readValues(command, specs, {}, async () => KNOWN);
  return values;
}

function configured(content: unknown, ...argv: string[]) {
  const file = path("config.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return read(["--config", file, ...argv]);
}

describe("a configuration file", () => {
  it("gives options their values as a flag would", async () => {
    const config = { data: "users.db", rate: 50, quiet: true, input: false };
    expect(await configured(config)).toEqual({
      data: "users.db",
      rate: 50,
      quiet: true,
      input: false,
      map: [],
    });
  });

  it("gives way to flags", async () => {
    expect(await configured({ data: "users.db" }, "--data", "mine.db")).toMatchObject({
      data: "mine.db",
    });
  });

  it("gives way to a variable that holds what its file does, as no flag does", async () => {
    const file = { ...OPTION, flags: "--data <file>", type: text, variable: false } as const;
    const specs = { ...SPECS, data: { ...file, yieldsTo: "AUTH_MIGRATE_DATA_ITSELF" } };
    const config = path("with-a-file.json");
    writeFileSync(config, JSON.stringify({ data: "gone.key" }));
    const argv = ["--config", config];
    expect(await read(argv, specs)).toMatchObject({ data: "gone.key" });
    vi.stubEnv("AUTH_MIGRATE_DATA_ITSELF", "the-key");
    expect(await read(argv, specs)).not.toHaveProperty("data");
    expect(await read([...argv, "--data", "mine.key"], specs)).toMatchObject({ data: "mine.key" });
    vi.stubEnv("AUTH_MIGRATE_DATA_ITSELF", " ");
    expect(await read(argv, specs)).toMatchObject({ data: "gone.key" });
  });

  it("may begin with a byte order mark", async () => {
    expect(await configured('\uFEFF{"data": "users.db"}')).toMatchObject({ data: "users.db" });
  });

  it("takes a list where a flag may be repeated", async () => {
    expect(await configured({ map: ["email=mail", "id=nr"] })).toMatchObject({
      map: ["email=mail", "id=nr"],
    });
    expect(await configured({ map: "email=mail" })).toMatchObject({ map: ["email=mail"] });
  });

  it("gives no command an option that it takes from the operator alone", async () => {
    const file = path("config.json");
    writeFileSync(file, JSON.stringify({ data: "users.db", rate: 50 }));
    const specs = { ...SPECS, data: { ...SPECS.data, configured: false as const } };
    const values = await read(["--config", file], specs);
    expect(values).toMatchObject({ data: "core.db", rate: 50 });
  });

  it("may hold options of other commands", async () => {
    expect(await configured({ port: 8080 })).not.toHaveProperty("port");
  });

  it("may hold the scrypt parameters in place of the file that has them", async () => {
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==" };
    expect(await configured({ hashConfig })).toMatchObject({ hashConfig });
    expect(await configured({ hashConfig: "hash-config.txt" })).toMatchObject({
      hashConfig: "hash-config.txt",
    });
    expect(await configured({ hashConfig }, "--hash-config", "mine.txt")).toMatchObject({
      hashConfig: "mine.txt",
    });
  });

  it("that holds the signer key is refused, saying where it belongs, without the key", async () => {
    const secret = "c2VjcmV0LXNpZ25lci1rZXk=";
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==" };
    const held = configured({ hashConfig: { ...hashConfig, base64_signer_key: secret } });
    await expect(held).rejects.toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringMatching(/holds base64_signer_key/),
        hint: expect.stringMatching(/auth-core\.yaml.*VENDOR_PASSWORD_HASHING_SIGNER_KEY/),
      }),
    );
    await expect(held).rejects.not.toThrow(new RegExp(secret.slice(0, 10)));
  });

  it.each([
    ["rounds out of range", { rounds: 17 }, /rounds must be a whole number from 1 to 16/],
    ["a missing mem_cost", { mem_cost: undefined }, /mem_cost must be/],
    ["a separator that is no base64", { base64_salt_separator: "§" }, /must be base64/],
    ["a misspelled name", { memCost: 14 }, /hashConfig/],
  ])("with %s in the scrypt parameters is refused", async (_what, change, message) => {
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==", ...change };
    await expect(configured({ hashConfig })).rejects.toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ["an option that no command knows", { dta: "x" }, /"dta" that no command knows/],
    ["a flag that is no yes or no", { quiet: "yes" }, /quiet must be true or false/],
    ["a yes where a value belongs", { data: true }, /data must not be true or false/],
    [
      "no name, of which SQLite makes a file that is gone at the end",
      { data: "" },
      /must not be empty/,
    ],
    ["a list where one value belongs", { data: ["a", "b"] }, /data takes one value/],
    [
      "a value that the option refuses",
      { rate: "fast" },
      /rate: Write calls a second, as in 200 or 0\.5\.$/,
    ],
    ["an object as a value", { map: { email: "mail" } }, /map must be a text, .* a list of texts/],
    ["nothing as a value", { data: null }, /data must be a text/],
    ["a list", [], /option names and values/],
    ["text", "data = users.db", /it isn't JSON/],
  ])("with %s is refused, naming it", async (_what, content, message) => {
    await expect(configured(content)).rejects.toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(message) }),
    );
  });
});

describe("an option's environment variable", () => {
  async function withVariable(name: string, value: string, ...argv: string[]) {
    process.env[name] = value;
    try {
      return await read(argv);
    } finally {
      delete process.env[name];
    }
  }

  it.each([
    ["true", true],
    ["YES", true],
    ["0", false],
    ["false", false],
  ])("%s means %s", async (text, quiet) => {
    expect(await withVariable("AUTH_MIGRATE_QUIET", text)).toMatchObject({ quiet });
  });

  it("turns a no-flag around", async () => {
    expect(await withVariable("AUTH_MIGRATE_NO_INPUT", "true")).toMatchObject({ input: false });
    expect(await withVariable("AUTH_MIGRATE_NO_INPUT", "false")).toMatchObject({ input: true });
    expect(await withVariable("AUTH_MIGRATE_NO_INPUT", "")).toMatchObject({ input: true });
  });

  it("gives way to the flag itself", async () => {
    expect(await withVariable("AUTH_MIGRATE_QUIET", "false", "--quiet")).toMatchObject({
      quiet: true,
    });
  });

  it("that is empty leaves the option unset", async () => {
    expect(await withVariable("AUTH_MIGRATE_QUIET", "")).toMatchObject({ quiet: false });
    expect(await withVariable("AUTH_MIGRATE_DATA", "")).toMatchObject({ data: "core.db" });
    expect(await withVariable("AUTH_MIGRATE_RATE", "")).not.toHaveProperty("rate");
  });

  it("that says neither yes nor no is refused, naming it", async () => {
    await expect(withVariable("AUTH_MIGRATE_QUIET", "perhaps")).rejects.toThrow(
      expect.objectContaining({ message: expect.stringContaining("AUTH_MIGRATE_QUIET") }),
    );
  });
});
