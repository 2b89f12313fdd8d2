import { writeFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { describe, expect, it } from "vitest";
import { applyConfigFile } from "../../src/cli/config-file.js";
import { applyFlagVariables } from "../../src/cli/environment.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
const KNOWN = new Set(["hashConfig", "config", "data", "rate", "map", "quiet", "input", "port"]);

/** A command of its own, so that the tests hold for any option that there will be. */
function parsed(...argv: string[]): Command {
  const command = new Command("move")
    .addOption(new Option("--config <file>"))
    .addOption(new Option("--data <file>").default("core.db"))
    .addOption(new Option("--hash-config <file>"))
    .addOption(new Option("--rate <n>").argParser(wholeNumber))
    .addOption(new Option("--map <pair>").argParser(collect).default([]))
    .addOption(new Option("--quiet").env("TEST_MOVE_QUIET"))
    .addOption(new Option("--no-input").env("TEST_MOVE_NO_INPUT"));
  return command.parse(argv, { from: "user" });
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

function collect(text: string, previous: string[]): string[] {
  return [...previous, text];
}

function configured(content: unknown, ...argv: string[]): Record<string, unknown> {
  const file = path("config.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  const command = parsed("--config", file, ...argv);
  applyConfigFile(command, KNOWN);
  const { config: _, ...values } = command.opts();
  return values;
}

describe("a configuration file", () => {
  it("gives options their values as a flag would", () => {
    expect(configured({ data: "users.db", rate: 50, quiet: true, input: false })).toEqual({
      data: "users.db",
      rate: 50,
      quiet: true,
      input: false,
      map: [],
    });
  });

  it("gives way to flags", () => {
    expect(configured({ data: "users.db" }, "--data", "mine.db")).toMatchObject({
      data: "mine.db",
    });
  });

  it("takes a list where a flag may be repeated", () => {
    expect(configured({ map: ["email=mail", "id=nr"] })).toMatchObject({
      map: ["email=mail", "id=nr"],
    });
    expect(configured({ map: "email=mail" })).toMatchObject({ map: ["email=mail"] });
  });

  it("gives no command an option that it takes from the operator alone", () => {
    const file = path("config.json");
    writeFileSync(file, JSON.stringify({ data: "users.db", rate: 50 }));
    const command = parsed("--config", file);
    applyConfigFile(command, KNOWN, ["data"]);
    expect(command.opts()).toMatchObject({ data: "core.db", rate: 50 });
  });

  it("may hold options of other commands", () => {
    expect(configured({ port: 8080 })).not.toHaveProperty("port");
  });

  it("may hold the scrypt parameters in place of the file that has them", () => {
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==" };
    expect(configured({ hashConfig })).toMatchObject({ hashConfig });
    expect(configured({ hashConfig: "hash-config.txt" })).toMatchObject({
      hashConfig: "hash-config.txt",
    });
    expect(configured({ hashConfig }, "--hash-config", "mine.txt")).toMatchObject({
      hashConfig: "mine.txt",
    });
  });

  it("that holds the signer key is refused, saying where it belongs, without the key", () => {
    const secret = "c2VjcmV0LXNpZ25lci1rZXk=";
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==" };
    const write = () => configured({ hashConfig: { ...hashConfig, base64_signer_key: secret } });
    expect(write).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringMatching(/holds base64_signer_key/),
        hint: expect.stringMatching(/auth-core\.yaml.*VENDOR_PASSWORD_HASHING_SIGNER_KEY/),
      }),
    );
    expect(write).not.toThrow(new RegExp(secret.slice(0, 10)));
  });

  it.each([
    ["rounds out of range", { rounds: 17 }, /rounds must be a whole number from 1 to 16/],
    ["a missing mem_cost", { mem_cost: undefined }, /mem_cost must be/],
    ["a separator that is no base64", { base64_salt_separator: "§" }, /must be base64/],
    ["a misspelled name", { memCost: 14 }, /hashConfig/],
  ])("with %s in the scrypt parameters is refused", (_what, change, message) => {
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==", ...change };
    expect(() => configured({ hashConfig })).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ["an option that no command knows", { dta: "x" }, /"dta" that no command knows/],
    ["a flag that is no yes or no", { quiet: "yes" }, /quiet must be true or false/],
    ["a yes where a value belongs", { data: true }, /data must not be true or false/],
    ["a list where one value belongs", { data: ["a", "b"] }, /data takes one value/],
    ["a value that the option refuses", { rate: "fast" }, /rate: It must be a whole number\.$/],
    ["an object as a value", { data: { file: "x" } }, /option names and values/],
    ["a list", [], /option names and values/],
    ["text", "data = users.db", /it isn't JSON/],
  ])("with %s is refused, naming it", (_what, content, message) => {
    expect(() => configured(content)).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(message) }),
    );
  });
});

describe("a flag's environment variable", () => {
  function withVariable(name: string, value: string, ...argv: string[]): Record<string, unknown> {
    process.env[name] = value;
    try {
      const command = parsed(...argv);
      applyFlagVariables(command);
      return command.opts();
    } finally {
      delete process.env[name];
    }
  }

  it.each([
    ["true", true],
    ["YES", true],
    ["0", false],
    ["false", false],
  ])("%s means %s", (text, quiet) => {
    expect(withVariable("TEST_MOVE_QUIET", text)).toMatchObject({ quiet });
  });

  it("turns a no-flag around", () => {
    expect(withVariable("TEST_MOVE_NO_INPUT", "true")).toMatchObject({ input: false });
    expect(withVariable("TEST_MOVE_NO_INPUT", "false")).toMatchObject({ input: true });
    expect(withVariable("TEST_MOVE_NO_INPUT", "")).toMatchObject({ input: true });
  });

  it("gives way to the flag itself", () => {
    expect(withVariable("TEST_MOVE_QUIET", "false", "--quiet")).toMatchObject({ quiet: true });
  });

  it("that is empty leaves the option unset", () => {
    expect(withVariable("TEST_MOVE_QUIET", "").quiet).toBeUndefined();
  });

  it("that says neither yes nor no is refused, naming it", () => {
    expect(() => withVariable("TEST_MOVE_QUIET", "perhaps")).toThrow(
      expect.objectContaining({ message: expect.stringContaining("TEST_MOVE_QUIET") }),
    );
  });
});
