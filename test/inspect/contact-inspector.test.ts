import { describe, expect, it } from "vitest";
import { createAddressSample } from "../../src/inspect/address-sample.js";
import { createContactInspector } from "../../src/inspect/contact-inspector.js";
import { digestsOf } from "../../src/inspect/digest.js";
import type { Finding } from "../../src/events/events.js";
import { buildRecord } from "../../src/account/build-record.js";
import type { Exclusion, UserRecord } from "../../src/account/user-record.js";
import { at } from "../run/support/user-keys.js";

interface Row {
  readonly email: string;
  readonly id?: string;
  readonly exclusions?: readonly Exclusion[];
}

function recordOf({ email, id = "", exclusions = [] }: Row): UserRecord {
  const record = buildRecord({
    ...{ sourceId: id, email, emailVerified: null, phone: "", phoneVerified: null },
    ...{ hash: null, exclusions, notices: [] },
  });
  if ("code" in record) throw new Error(record.code);
  return record;
}

/** The findings on rows 1, 2, … of a file; each row is another user's, unless it has an id. */
function findingsOf(rows: readonly (string | Row)[], most?: number): Finding[] {
  const census = createContactInspector(createAddressSample(most));
  for (const [index, row] of rows.entries()) {
    const given = typeof row === "string" ? { email: row, id: `u-${index}` } : row;
    const record = recordOf(given);
    census.count(record, digestsOf(record), at(index + 1));
  }
  return census.findings();
}

const strangers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Reader.${index}@example.com`);

describe("addresses of several users that differ only in case", () => {
  it.each([
    ["the small one first", ["ann@example.com", "ben@example.com", "Ann@example.com"]],
    ["the small one last", ["Ann@example.com", "ben@example.com", "ann@example.com"]],
    ["both with capitals", ["Ann@example.com", "ben@example.com", "ANN@example.com"]],
    ["white space around them", [" ann@example.com", "ben@example.com", "Ann@example.com\t"]],
  ])("are found with %s", (_how, emails) => {
    expect(findingsOf(emails)).toMatchObject([
      { code: "email_lookalike", count: 1, rows: [at(3)] },
    ]);
  });

  it("are found where only an accent is put together in another way, and the hint says so", () => {
    const [found] = findingsOf(["zoe\u0308@example.com", "zo\u00eb@example.com"]);
    expect(found).toMatchObject({ code: "email_lookalike", count: 1 });
    expect(found?.hint).toContain("how an accented letter is put together");
  });

  it("are counted by the rows after the first", () => {
    const emails = ["ann@example.com", "Ann@example.com", "ANN@example.com", "aNn@example.com"];
    const [found] = findingsOf([...strangers(3), ...emails, "Reader.1@EXAMPLE.com"]);
    expect(found).toMatchObject({ count: 4, rows: [at(5), at(6), at(7)] });
    expect(found?.hint).toMatch(/^These users' addresses differ /);
    expect(found?.hint).not.toContain("@");
  });

  it("aren't those of one user's two rows, or of users whom the vendor keeps out", () => {
    const ann = { email: "ann@example.com", id: "u-1" };
    expect(findingsOf([ann, { ...ann, email: "Ann@example.com" }])).toEqual([]);
    const gone = { email: "Ann@example.com", id: "u-2", exclusions: ["deleted"] } as const;
    expect(findingsOf([ann, gone])).toEqual([]);
    expect(findingsOf([gone, ann])).toEqual([]);
  });

  it("are found where users have no id", () => {
    const rows = [{ email: "ann@example.com" }, { email: "Ann@example.com" }];
    expect(findingsOf(rows)).toMatchObject([{ count: 1 }]);
  });

  it("aren't two equal ones", () => {
    expect(findingsOf(["Ann@example.com", "Ann@example.com", "ann@example.org"])).toEqual([]);
  });

  it("are found in a fair sample where there are too many to keep, and the hint says so", () => {
    const emails = strangers(8000);
    const small = emails.map((email) => email.toLowerCase());
    for (const rows of [
      [...emails, ...small],
      [...small, ...emails],
    ]) {
      const [found, ...more] = findingsOf(rows, 512);
      expect(more).toEqual([]);
      const oneIn = Number(/one in (\d+) addresses/.exec(found?.hint ?? "")?.[1]);
      expect(oneIn).toBeGreaterThan(8);
      expect(found?.count).toBeGreaterThan(8000 / oneIn / 2);
      expect(found?.count).toBeLessThan((8000 / oneIn) * 2);
    }
  });
});

describe("addresses that look like others", () => {
  it("are found with their rows, and told apart from those of a user who is there", () => {
    const rows = ["\u0430nn@example.com", "b\u0435n@example.com", "ben@example.com"];
    const [found, ...more] = findingsOf([...strangers(5), ...rows]);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: "email_lookalike", count: 2, rows: [at(7), at(6)] });
    expect(found?.hint).toMatch(/^One of them looks exactly like another user's address/);
    expect(found?.hint).not.toContain("@");
  });

  it("are compared in either order of the two", () => {
    const pair = ["ben@example.com", "b\u0435n@example.com"];
    for (const rows of [pair, [...pair].reverse()]) {
      expect(findingsOf(rows)[0]?.hint).toMatch(/^One of them looks exactly like/);
    }
  });

  it("have no such sentence where nobody has the address", () => {
    const [found] = findingsOf(["b\u0435n@example.com", "ann@example.com"]);
    expect(found).toMatchObject({ count: 1, rows: [at(1)] });
    expect(found?.hint).toMatch(/^Letters of these addresses/);
  });
});

describe("ordinary addresses", () => {
  it("are no finding", () => {
    expect(findingsOf([...strangers(300), "jos\u00e9@example.com", "анна@пример.рф"])).toEqual([]);
  });
});
