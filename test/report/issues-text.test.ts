import { describe, expect, it } from "vitest";
import { PLAIN_LAYOUT } from "../../src/report/layout.js";
import type { RefusalGroup } from "../../src/report/refusal-groups.js";
import { recognizedText } from "../../src/report/input-text.js";
import { issueLines } from "../../src/report/issues-text.js";
import { findSource } from "../../src/source/registry.js";

function group(code: string): RefusalGroup {
  const examples = [{ file: "users.csv", number: 7 }];
  return { type: "reject", code, hint: "Mend it.", count: 1, examples };
}

const GROUPS = ["pbkdf2", "no_contact", "duplicate"].map(group);
const FINDINGS = [
  {
    code: "hash_shared",
    count: 2,
    rows: [{ file: "users.csv", number: 3 }],
    hint: "Look at them.",
  },
];
const MORE = ["(elsewhere)"];

function told(lines: number): string[] {
  return issueLines({ groups: GROUPS, findings: FINDINGS }, PLAIN_LAYOUT, lines, MORE);
}

describe("what was told, on a page", () => {
  it("is whole where it fits, and says nothing of more", () => {
    const all = told(Number.POSITIVE_INFINITY);
    expect(told(all.length)).toEqual(all);
    expect(all.join("\n").match(/Mend it\.|Look at them\./g)).toHaveLength(4);
    expect(all).not.toContain("(elsewhere)");
  });

  it("keeps the first group and the findings longest, and names all others", () => {
    const cut = told(11);
    expect(cut).toEqual([
      ...[
        "",
        "Rejected (row 1 is the first user's)",
        "  pbkdf2   1   users.csv, row 7",
        "      Mend it.",
      ],
      "  and 2 more: no_contact 1, duplicate 1",
      ...[
        "",
        "Findings",
        "  hash_shared   2   users.csv, rows 3, …",
        "      Look at them.",
        "(elsewhere)",
      ],
    ]);
  });

  it("tells the first group with its way out on the smallest page", () => {
    expect(told(0)).toContain("      Mend it.");
  });

  it("names every code on a page of any length", () => {
    for (let lines = 0; lines < 20; lines += 1) {
      for (const code of ["pbkdf2", "no_contact", "duplicate", "hash_shared"]) {
        expect(told(lines).join("\n")).toContain(code);
      }
    }
  });
});

it("says in one line how a hundred files of one kind were recognized", () => {
  const reason = "a realm's users";
  const named = (name: string) => findSource(name) ?? expect.fail(name);
  const inputs = Array.from({ length: 100 }, (_, number) => {
    return { path: `realm-users-${number}.json`, source: named("keycloak"), reason };
  });
  const other = { path: "more.csv", source: named("csv"), reason: "a header row" };
  const told = recognizedText([...inputs, other], (path) => path, { tellsIds: true });
  expect(told).toEqual([
    "realm-users-0.json, realm-users-1.json, realm-users-2.json and 97 more: read as keycloak (a realm's users); --keep-ids keeps the users' ids at the core",
    "more.csv: read as csv (a header row)",
  ]);
});
