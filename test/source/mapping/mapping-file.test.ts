import { describe, expect, test } from "vitest";
import { parseMapping } from "../../../src/source/mapping/read-mapping.js";

const START = `name: acme
title: Acme
pages: [https://acme.example.com/export]
recognize: [[acmeId]]
`;

function flaw(text: string): string {
  try {
    parseMapping("acme.yaml", text);
  } catch (error) {
    return `${error instanceof Error ? error.message : error}`;
  }
  return "";
}

describe("a mapping's file", () => {
  test("is read with what it leaves out", () => {
    expect(parseMapping("acme.yaml", `${START}id: acmeId\nemail: mail\n`)).toMatchObject({
      id: ["acmeId"],
      email: ["mail"],
      users: [],
      flags: {},
    });
  });

  test("has the core's names of roles and providers beside their places", () => {
    const whole = `${START}id: acmeId\nroles: [role, { Editors: editor }]\nproviders: { a: b }\n`;
    expect(parseMapping("acme.yaml", whole)).toMatchObject({ roles: ["role"], providers: [] });
    expect(flaw("roles: { Editors: editor }\n")).toMatch(/names roles or providers alone/);
  });

  test("has what is written twice under an anchor, and no more of it than a mapping needs", () => {
    const anchored = `${START}id: &own acmeId\nemail: *own\n`;
    expect(parseMapping("acme.yaml", anchored)).toMatchObject({
      id: ["acmeId"],
      email: ["acmeId"],
    });
    expect(flaw(`${START}id: *nobody\n`)).toMatch(/^acme\.yaml/);
    const levels = Array.from({ length: 9 }, (_, at) => {
      const below = `*l${at - 1}`;
      return `l${at}: &l${at} [${at === 0 ? "x" : Array(9).fill(below).join(", ")}]`;
    });
    expect(flaw(`${START}id: acmeId\n${levels.join("\n")}\n`)).toMatch(
      /alias .* stands for too much/,
    );
    expect(flaw(`${START}id: ${"[".repeat(9000)}`)).toMatch(/^acme\.yaml/);
  });

  test.each([
    [`${START}id: acmeId\nmail: mail\n`, /^acme\.yaml, line 1: .*mail/],
    [
      `${START}id: acmeId\nflags:\n  status: { values: { on: out } }\n`,
      /^acme\.yaml, line 7: flags/,
    ],
    [`${START}id: [a\n`, /^acme\.yaml, line \d/],
    [`${START}id: a\nid: b\n`, /^acme\.yaml, line 6: /],
    [`${START}id: a\nroles:\n  Editors: [editor]\n`, /^acme\.yaml, line 7: roles/],
    ["role: { Editors: editor }\n", /^acme\.yaml, line 1: .*role/],
    [START, /^acme\.yaml, line 1: id: /],
    ["", /^acme\.yaml, line 1: the mapping: /],
    [`a: &a [x]\nb: *a\n`, /alias|Excessive|unrecognized/i],
  ])("that can't be read is refused with its line and reason (%#)", (text, message) => {
    expect(flaw(text)).toMatch(message);
  });
});
