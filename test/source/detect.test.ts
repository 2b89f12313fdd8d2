import { describe, expect, test } from "vitest";
import { defineSource } from "../../src/source/define-source.js";
import { detectSource } from "../../src/source/detect.js";
import { findSource, SOURCES } from "../../src/source/registry.js";
import type { Source } from "../../src/source/source.js";

function head(text: string) {
  return { path: "export.dat", text, complete: true };
}

function fitting(name: string, generic = false): Source {
  return defineSource({
    name,
    label: name,
    generic,
    recognize: () => `looks like ${name}`,
    open: () => {
      throw new Error("not read here");
    },
  });
}

describe("detectSource", () => {
  test.each([
    ["firebase", '{"users":[{"localId":"a1","email":"ann@example.com"}]}'],
    ["firebase", '[{"localId":"a1"}]'],
    ["firebase", `a1,ann@example.com,true,,,,${",".repeat(16)},1,2,,false,,\n`],
    ["csv", "email\nann@example.com\n"],
    ["csv", "Mobile;Name\n+15550100001;Ann\n"],
  ])("recognizes %s by its shape (%#)", (name, text) => {
    const { source, reason } = detectSource(head(text));
    expect(source.name).toBe(name);
    expect(reason).not.toBe("");
  });

  test.each([
    "hello, world",
    "<html><body>Sign in</body></html>",
    '{"users":[]}',
    '{"Users":[{"Username":"ann"}]}',
    '{"users":[{"id":"1","username":"ann"}]}',
    "colour,size\nred,3\n",
    "1,ann@example.com,Ann\n",
  ])("refuses what is no export, naming what it expected and the way out (%#)", (text) => {
    expect(() => detectSource(head(text))).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        message: expect.stringContaining("export.dat"),
        hint: expect.stringMatching(/firebase.*csv.*--from.*--map/),
      }),
    );
  });

  test("asks for --from where two vendors fit, and names both", () => {
    expect(() => detectSource(head("x"), [fitting("one"), fitting("two")])).toThrow(
      expect.objectContaining({
        code: "input_ambiguous",
        message: expect.stringContaining("one or two"),
        hint: expect.stringContaining("--from one or --from two"),
      }),
    );
  });

  test("prefers a vendor's source to a generic one", () => {
    const { source } = detectSource(head("x"), [fitting("any", true), fitting("vendor")]);
    expect(source.name).toBe("vendor");
  });
});

test("sources have different names and are found by them", () => {
  for (const source of SOURCES) expect(findSource(source.name)).toBe(source);
  expect(findSource("nobody")).toBeNull();
});
