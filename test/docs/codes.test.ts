import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { CONTACT_HINTS } from "../../src/account/contact-hints.js";
import { STANDING } from "../../src/events/findings.js";
import { RUN_ERRORS } from "../../src/errors/run-error.js";
import { noticeHint } from "../../src/report/notice-hints.js";
import { sourceFiles } from "../laws/source-files.js";
import { pageText } from "./support/blocks.js";

const FILES = sourceFiles();

/** The members of a union of texts, as its file has them. */
function union(path: string, name: string): string[] {
  const code = FILES.find((file) => file.path === path)?.code ?? "";
  const members = new RegExp(`(?:export )?type ${name} =([^;]*);`).exec(code)?.[1] ?? "";
  const found = [...members.matchAll(/"(\w+)"/g)].flatMap(([, member]) => member ?? []);
  expect(found.length, `${name} in ${path}`).toBeGreaterThan(2);
  return found;
}

/** The keys of a table of sentences, as its file has them. */
function keysOf(path: string, name: string): string[] {
  const code = FILES.find((file) => file.path === path)?.code ?? "";
  const table = new RegExp(`const ${name} ?= \\{([\\s\\S]*?)\\n\\}`).exec(code)?.[1] ?? "";
  const found = [...table.matchAll(/^ {2}(\w+):/gm)].flatMap(([, key]) => key ?? []);
  expect(found.length, `${name} in ${path}`).toBeGreaterThan(2);
  return found;
}

/** What the lines of a page's lists and tables begin with, in code style; of one section, where it is named. */
function rowsOf(page: string, heading?: string): string[] {
  const text = heading === undefined ? pageText(page) : sectionOf(pageText(page), heading);
  const starts = text.match(/^(?:\| |- )`\w+`(?:, `\w+`)*(?=:| \|)/gm) ?? [];
  return starts.flatMap((start) =>
    [...start.matchAll(/`(\w+)`/g)].flatMap(([, code]) => code ?? []),
  );
}

/** A heading and what is under it, up to the next one of its rank. */
function sectionOf(text: string, heading: string): string {
  const lines = text.split("\n");
  const from = lines.indexOf(heading);
  expect(from, heading).toBeGreaterThanOrEqual(0);
  const rank = heading.indexOf(" ");
  const behind = lines.slice(from + 1);
  const length = behind.findIndex((line) => new RegExp(`^#{1,${rank}} `).test(line));
  return behind.slice(0, length < 0 ? undefined : length).join("\n");
}

function missing(codes: readonly string[], known: readonly string[]): string[] {
  return [...new Set(codes)].filter((code) => !known.includes(code));
}

function doubles(codes: readonly string[]): string[] {
  return codes.filter((code, index) => codes.indexOf(code) !== index);
}

describe("docs/exit-codes.md", () => {
  const errors = Object.keys(RUN_ERRORS);

  it("has every reason for which a run stops, once, and no other", () => {
    const rows = rowsOf("docs/exit-codes.md");
    expect(missing(errors, rows)).toEqual([]);
    expect(missing(rows, errors)).toEqual([]);
    expect(doubles(rows)).toEqual([]);
  });

  it("has each under the exit code that it ends with", () => {
    for (const [code, number] of Object.entries(RUN_ERRORS)) {
      const exit = String(number);
      const heading = ["129", "130", "143"].includes(exit) ? "## 129, 130 and 143" : `## ${exit}`;
      expect(rowsOf("docs/exit-codes.md", heading), `${code} under ${heading}`).toContain(code);
    }
  });

  it("has a section for every exit code", () => {
    const headings =
      pageText("docs/exit-codes.md")
        .match(/^## .*/gm)
        ?.join(" ") ?? "";
    const named = headings.match(/\d+/g) ?? [];
    expect(named.sort()).toEqual(Object.keys(EXIT_CODES).sort());
  });
});

describe("docs/rejects.md", () => {
  /** Of a file, not of a row; and refusals of a hash, which are in docs/hashes.md. */
  const elsewhere = ["truncated", "mcf_plus_salt_column"];
  const rejects = rowsOf("docs/rejects.md", "## Rejects");
  const skips = rowsOf("docs/rejects.md", "## Skips");
  const failures = rowsOf("docs/rejects.md", "## Failures");

  it("has every way in which a row can't be read, or is no user", () => {
    const damages = union("source/row-damage.ts", "RowDamageCode");
    expect(missing(damages, [...rejects, ...skips, ...elsewhere])).toEqual([]);
  });

  it("has every way in which a contact is unusable", () => {
    expect(missing(Object.keys(CONTACT_HINTS), rejects)).toEqual([]);
  });

  it("has every reason for which a vendor keeps a user out", () => {
    expect(missing(union("account/user-record.ts", "Exclusion"), skips)).toEqual([]);
  });

  it("has every change that isn't sent", () => {
    const changes = keysOf("plan/refusals.ts", "REFUSALS");
    expect(missing(changes, [...rejects, ...skips])).toEqual([]);
  });

  it("has every failure of a core", () => {
    const kinds = union("core/core-failure.ts", "CoreFailureKind").map((kind) => `core_${kind}`);
    expect(missing(kinds, [...failures, ...rejects])).toEqual([]);
  });

  it("has each code once, and none that has its home elsewhere", () => {
    const all = [...rejects, ...skips, ...failures];
    expect(doubles(all)).toEqual([]);
    const notices = rowsOf("docs/json.md", "### Notices");
    expect(all.filter((code) => notices.includes(code))).toEqual(["phone_country_missing"]);
  });

  it("has none that the code doesn't say", () => {
    const code = FILES.map((file) => file.code).join("\n");
    const said = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
    const unsaid = [...rejects, ...skips, ...failures].filter(
      (name) => !said(name) && !said(name.replace(/^core_/, "")),
    );
    expect(unsaid).toEqual([]);
  });
});

describe("docs/json.md", () => {
  it("has every finding of a census, in the order in which they are told", () => {
    const findings = keysOf("events/findings.ts", "HINTS");
    const rows = rowsOf("docs/json.md", "### Findings");
    expect(missing(findings, rows)).toEqual([]);
    expect(rows.filter((code) => findings.includes(code))).toEqual(findings);
    expect(doubles(rows)).toEqual([]);
  });

  it("has every notice that a report has words for, and no other", () => {
    const notices = rowsOf("docs/json.md", "### Notices");
    expect(notices.filter((code) => !/^[A-Z].{20,}\.$/s.test(noticeHint(code)))).toEqual([]);
    expect(missing(keysOf("report/notice-hints.ts", "HINTS: [^=]*"), notices)).toEqual([]);
    expect(doubles(notices)).toEqual([]);
  });

  it("has as findings and notices those that stand, and two that are of fewer users than their notice", () => {
    const notices = rowsOf("docs/json.md", "### Notices");
    const both = rowsOf("docs/json.md", "### Findings").filter((code) => notices.includes(code));
    const fewer = ["joined_not_migrated", "social_identity_dropped"];
    expect(both.sort()).toEqual([...STANDING, ...fewer].sort());
  });

  it("has every difference", () => {
    const differences = keysOf("reconcile/compare-user.ts", "HINTS");
    const rows = rowsOf("docs/json.md", "## Differences");
    expect([...rows].sort()).toEqual([...differences].sort());
  });
});

describe("docs/shards.md", () => {
  it("has everything that speaks against shards being one import, once", () => {
    const flaws = union("checkpoint/prove-shards.ts", "ShardFlawCode");
    const rows = rowsOf("docs/shards.md", "## The proof");
    expect([...rows].sort()).toEqual([...flaws].sort());
  });
});

describe("a word that looks like a code", () => {
  /** What isn't one, and what it is. */
  const NO_CODE = new Set([
    // Kinds of failures before `core_` is put before them, and answers of a core.
    ...["not_offered", "key_refused", "tenant_unknown", "takes_anything", "not_kept"],
    // Names of columns, of the checkpoint's settings, and of the vendor's parameters.
    ...["begun_at", "cutover_at", "core_kind", "mem_cost"],
    "vendor_scrypt",
    // What is decided for a user, before it is told by its outcome.
    ...["look_up", "map_id", "change_hash", "change_contacts", "change_kind", "change_parts"],
  ]);
  /** Rooms whose words reach a run's lines or a record; the checkpoint's own are names of its tables. */
  const SPEAKING = [
    ...["account", "events", "calls", "plan", "inspect", "run", "shards", "prove", "reconcile"],
    "password-export",
  ];
  const HOMES = ["rejects", "exit-codes", "json", "proof", "hashes", "shards"].map((name) =>
    pageText(`docs/${name}.md`),
  );

  it("has a home in the docs, wherever a run or a record says it", () => {
    const code = FILES.filter(({ room }) => SPEAKING.includes(room))
      .map((file) => file.code)
      .join("\n");
    const words = [...code.matchAll(/"([a-z]+(?:_[a-z0-9]+)+)"/g)].flatMap(
      ([, word]) => word ?? [],
    );
    expect(words.length).toBeGreaterThan(100);
    const homeless = [...new Set(words)].filter(
      (word) => !NO_CODE.has(word) && !HOMES.some((page) => page.includes(`\`${word}\``)),
    );
    expect(homeless).toEqual([]);
  });
});
