import { describe, expect, it } from "vitest";
import { RunError } from "../../src/errors/run-error.js";
import { parseHashConfig } from "../../src/hash/hash-config.js";
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };

const key = exported.signerKey;
const expected = { signerKey: key, saltSeparator: "Bw==", rounds: 8, memCost: 14 };
const block = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: ${key},
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`;
const fields = {
  algorithm: "SCRYPT",
  base64_signer_key: key,
  base64_salt_separator: "Bw==",
  rounds: 8,
  mem_cost: 14,
};

/** As the REST API names them. */
const answered = {
  algorithm: "SCRYPT",
  signerKey: key,
  saltSeparator: "Bw==",
  rounds: 8,
  memoryCost: 14,
};

function errorOf(text: string): RunError {
  try {
    parseHashConfig(text);
  } catch (error) {
    if (error instanceof RunError) return error;
  }
  throw new Error("no RunError was thrown");
}

describe("the vendor's hash parameters", () => {
  it.each([
    ["the console's block", block],
    ["the block on one line", block.replaceAll("\n", " ")],
    ["the block with CRLF and a byte-order mark", `\uFEFF${block.replaceAll("\n", "\r\n")}\r\n`],
    ["the block without commas", block.replaceAll(",", "")],
    ["the block with quoted values", block.replace(key, `"${key}"`).replace("Bw==", "'Bw=='")],
    ["the braces alone", block.replace("hash_config ", "")],
    ["JSON", JSON.stringify(fields)],
    ["JSON with numbers as text", JSON.stringify({ ...fields, rounds: "8", mem_cost: "14" })],
    ["JSON inside a hash_config object", JSON.stringify({ hash_config: fields })],
    ["the REST API's answer", JSON.stringify({ name: "x", signIn: { hashConfig: answered } })],
    ["the part of it that matters", JSON.stringify({ hashConfig: answered })],
    ["JSON without the algorithm", JSON.stringify({ ...fields, algorithm: undefined })],
  ])("are read from %s", (_what, text) => {
    expect(parseHashConfig(text)).toEqual(expected);
  });

  it("may have a url-safe signer key and an empty separator", () => {
    const urlSafe = key.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const text = JSON.stringify({
      ...fields,
      base64_signer_key: urlSafe,
      base64_salt_separator: "",
    });
    expect(parseHashConfig(text)).toEqual({ ...expected, signerKey: urlSafe, saltSeparator: "" });
  });

  it.each([
    ["another algorithm", block.replace("SCRYPT", "BCRYPT"), "algorithm must be SCRYPT"],
    ["no signer key", block.replace(/base64_signer_key.*/, ""), "base64_signer_key"],
    ["a signer key that isn't base64", block.replace("jxspr8", "jx?pr8"), "base64_signer_key"],
    ["a signer key that was cut off", block.replace(key, key.slice(0, 40)), "64 bytes"],
    ["a separator that isn't base64", block.replace("Bw==", "Bw="), "base64_salt_separator"],
    [
      "rounds 0",
      block.replace("rounds: 8", "rounds: 0"),
      "rounds must be a whole number from 1 to 16",
    ],
    ["rounds 17", JSON.stringify({ ...fields, rounds: 17 }), "rounds"],
    ["mem_cost 16", block.replace("14", "16"), "mem_cost must be a whole number from 1 to 15"],
    ["a broken mem_cost", JSON.stringify({ ...fields, mem_cost: 13.5 }), "mem_cost"],
    ["no mem_cost", JSON.stringify({ ...fields, mem_cost: undefined }), "mem_cost"],
    ["a field twice", block.replace("rounds: 8", "rounds: 8, rounds: 7"), "rounds is given twice"],
    ["a line that is no field", block.replace("rounds: 8", "rounds 8"), "name: value"],
    ["an empty file", " \n", "empty"],
    ["another text", "the parameters are in the wiki", "neither"],
    ["a JSON list", "[1, 2]", "the block"],
    ["a huge file", `hash_config {${"a: b,".repeat(20_000)}}`, "longer"],
  ])("are refused with %s, naming the field and no key", (_what, text, message) => {
    const error = errorOf(text);
    expect(error.code).toBe("hash_config_invalid");
    expect(error.message).toContain(message);
    expect(error.hint).toContain("hash_config");
    expect(error.message + error.hint).not.toContain(key.slice(0, 8));
  });
});
