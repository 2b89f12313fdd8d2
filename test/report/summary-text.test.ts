import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/events/events.js";
import type { ImportSummary, ValidateSummary } from "../../src/events/summary.js";
import type { RefusalGroup } from "../../src/report/refusal-groups.js";
import { count } from "../../src/report/text.js";
import { PLAIN_LAYOUT } from "../../src/report/layout.js";
import { coreText, summaryText } from "../../src/report/summary-text.js";

const COUNTS = {
  read: 1_204_310,
  skipped: 10,
  rejected: 300,
  algorithms: { bcrypt: 1_200_000, vendor_scrypt: 4000 },
  rejects: { bcrypt_length: 300 },
  skips: { disabled: 10 },
  notices: { profile_not_migrated: 5, phone_not_migrated: 1_000_000 },
  bridged: 0,
  social: 0,
  passwordExport: null,
  calls: { code: 0, consume: 0, update: 0, import: 0, lookup: 0, map: 0, part: 0 },
  mapped: 0,
  elapsedMs: 62_340,
  rejectsFiles: [],
  rejectsAsText: [],
  truncated: [],
  limited: false,
  interrupted: false,
  shard: null,
} as const;

const IMPORT: ImportSummary = {
  ...COUNTS,
  command: "import",
  source: "firebase",
  core: { kind: "remote", url: "https://core.example.com" },
  imported: 1_204_000,
  importedAlgorithms: { bcrypt: 1_200_000, vendor_scrypt: 4000 },
  signIns: null,
  carried: [],
  carriedUsers: {},
  created: 0,
  existed: 0,
  failed: 0,
  unchanged: 0,
  queued: 0,
  pending: 0,
  retries: 0,
  pauses: 0,
  pausedMs: 0,
  standing: {
    ...{
      users: 1_204_310,
      imported: 1_204_000,
      created: 0,
      existed: 0,
      skipped: 10,
      rejected: 300,
    },
    ...{
      failed: 0,
      queued: 0,
      written: 0,
      pending: 0,
      unknown: 0,
      unread: 0,
      stillThere: {},
      cut: null,
      proved: false,
      provedUsers: { sent: 0, bridged: 0 },
      unvaulted: 0,
    },
    otherRows: { rejects: {}, skips: {}, failures: {} },
  },
  proved: false,
  provedUsers: { sent: 0, bridged: 0 },
  untried: {},
  checkpoint: "auth-migrate.checkpoint",
};

const COUNTS_OF_OUTCOMES = {
  ...{ imported: 0, created: 0, existed: 0, skipped: 0 },
  ...{ rejected: 0, failed: 0, unchanged: 0 },
};

const VALIDATE: ValidateSummary = {
  ...COUNTS,
  command: "validate",
  source: "csv",
  core: null,
  otherRows: { rejects: {}, skips: {}, failures: {} },
  ready: { import: 1_204_000, passwordless: 0, thirdparty: 0 },
  plannedCalls: { ...COUNTS.calls, import: 1_204_000, lookup: 1_204_000 },
  proved: false,
  untried: {},
  carried: [],
  carriedUsers: {},
  prediction: null,
  checkpoint: null,
};

const GROUPS: RefusalGroup[] = [
  {
    type: "reject",
    code: "bcrypt_length",
    hint: "Export the hashes again whole.",
    count: 300,
    examples: [
      { file: "users.csv", number: 7 },
      { file: "users.csv", number: 9 },
    ],
  },
  {
    type: "skip",
    code: "disabled",
    hint: "--include disabled migrates them.",
    count: 1,
    examples: [{ file: "users.csv", number: 12 }],
  },
];

const FINDINGS: Finding[] = [
  {
    code: "column_damaged",
    count: 300,
    rows: [
      { file: "users.csv", number: 7 },
      { file: "users.csv", number: 9 },
    ],
    hint: "Export the hashes again from a field that is wide enough.",
  },
  {
    code: "prehash_possible",
    count: 1,
    rows: [{ file: "users.csv", number: 8 }],
    hint: "Prove it.",
  },
  {
    code: "gone_since_last_export",
    count: 1,
    rows: [{ file: "users.csv", number: 2 }],
    sourceIds: ["r-2"],
    hint: "Look for them.",
  },
];

const TOLD = { groups: GROUPS, findings: FINDINGS };
const SETTING = { layout: PLAIN_LAYOUT, below: 2, more: ["(more elsewhere)"] };

/** A text without its columns and line ends. */
const squeezed = (lines: readonly string[]): string => lines.join(" ").replace(/\s+/g, " ");

const NAMED = "Notices (help CODE): phone_not_migrated 1,000,000, profile_not_migrated 5";

const REJECTED = [
  "",
  "Rejected (row 1 is the first user's)",
  "  bcrypt_length   300   users.csv, rows 7, 9, …",
  "      Export the hashes again whole.",
];

const FOUND = [
  "",
  "Findings",
  "  column_damaged   300   users.csv, rows 7, 9, …",
  "      Export the hashes again from a field that is wide enough.",
  "  prehash_possible   1   users.csv, row 8",
  "      Prove it.",
  "  gone_since_last_export   1   users.csv, row 2 (r-2)",
  "      Look for them.",
];

describe("an import's summary for people", () => {
  it("reads from where the users are, over each outcome that occurred, to what is to be done", () => {
    expect(summaryText(IMPORT, TOLD, SETTING)).toEqual([
      "1,204,000 of 1,204,310 users are at the core (99.9 %), 300 rejected, 10 skipped.",
      "1,204,310 rows of firebase into the core at https://core.example.com, 1 min 2 s",
      "",
      "  imported       1,204,000   with their password (bcrypt 1,200,000,",
      "                             vendor_scrypt 4,000)",
      "  skipped               10   left out on purpose (disabled 10)",
      "  rejected             300   can't be migrated as they are",
      "",
      NAMED,
      ...REJECTED,
      ...FOUND,
    ]);
  });

  it.each<[string, Partial<ImportSummary>, string]>([
    [
      "counts beside the imported users the algorithms of these alone, also after a resume",
      { imported: 4000, unchanged: 1_200_000, importedAlgorithms: { vendor_scrypt: 4000 } },
      " imported 4,000 with their password (vendor_scrypt 4,000) unchanged 1,200,000 ",
    ],
    [
      "says how many test users signed in at the core, where it was asked for them",
      { signIns: { users: 2, signedIn: 2 } },
      " Proved at the core: 2 of 2 test users signed in. ",
    ],
    [
      "says of how many that isn't so",
      { signIns: { users: 2, signedIn: 1 } },
      " Not proved at the core: 1 of 2 test users signed in as users of this migration. ",
    ],
    [
      "says how many ids are kept",
      { mapped: 1_203_990 },
      " ids kept 1,203,990 of those at the core are known by the vendor's id ",
    ],
    [
      "says how many are brought without the password that they have",
      { created: 1251, notices: { password_not_exported: 246 } },
      " no hash 246 of those brought leave a password at the vendor: see docs/vendors/firebase.md ",
    ],
    [
      "says how many of them an earlier run brought",
      { created: 2, notices: { account_updated: 18 } },
      " changed 18 of those came by an earlier run ",
    ],
    [
      "says once how many are bridged, who aren't all whose rows are",
      { bridged: 6, notices: { bridged: 8, phone_not_migrated: 7 } },
      " Notices (help CODE): phone_not_migrated 7 Rejected",
    ],
    [
      "names no notice that a finding tells",
      { notices: { prehash_possible: 1, phone_not_migrated: 7 } },
      " Notices (help CODE): phone_not_migrated 7 Rejected",
    ],
    [
      "says in a line of how many users what was carried along",
      { carriedUsers: { joined: 12, metadata: 49_900 } },
      " Carried along: joined 12, metadata 49,900 ",
    ],
  ])("%s", (_what, changes, expected) => {
    expect(squeezed(summaryText({ ...IMPORT, ...changes }, TOLD, SETTING))).toContain(expected);
  });

  it("tells after a stop what the run itself did, and all that is left open", () => {
    const ofRun = { imported: 0, unchanged: 4500, skipped: 0, rejected: 0, interrupted: true };
    const standing = {
      ...IMPORT.standing,
      ...{ users: 24_500, imported: 23_480, skipped: 20, rejected: 0 },
      ...{ pending: 1000, unread: 25_500, cut: "stopped" as const },
    };
    const lines = summaryText(
      { ...IMPORT, ...ofRun, standing },
      { groups: [], findings: [] },
      SETTING,
    );
    const table = lines.flatMap((line) => /^ {2}(\w[\w ]*?) {2,}([\d,]+) {3}/.exec(line) ?? []);
    const numbers = table.filter((_, at) => at % 3 === 2).map((n) => Number(n.replace(",", "")));
    expect(numbers).toEqual([4500, 26_500]);
  });

  it("is a line where there is nothing to tell, as of a run that was stopped before its first row", () => {
    const none = { read: 0, imported: 0, skipped: 0, rejected: 0, notices: {} };
    const standing = { ...IMPORT.standing, users: 0, imported: 0, skipped: 0, rejected: 0 };
    const empty = { ...IMPORT, ...none, standing };
    expect(summaryText(empty, { groups: [], findings: [] }, SETTING)).toEqual([
      expect.stringContaining("0 rows of firebase into"),
    ]);
  });
});

describe("a dry run's summary for people", () => {
  it("says how an import into the core that was asked would end, and how sure that is", () => {
    const outcomes = { ...COUNTS_OF_OUTCOMES, imported: 900, existed: 30, skipped: 10 };
    const prediction = {
      ...{ outcomes, stops: { user_exists: 2 }, kept: {}, stillThere: {} },
      ...{ lookedUp: 932, unasked: 0, again: 0, joinedByBulk: 0 },
    };
    const core = { kind: "remote", url: "https://core.example.com" } as const;
    const asked: ValidateSummary = { ...VALIDATE, core, prediction };
    const lines = summaryText(asked, TOLD, SETTING);
    const text = lines.join(" ").replace(/\s+/g, " ");
    expect(text).toContain("by the answers of the core at https://core.example.com");
    expect(text).toContain("existed 30 at the core already");
    expect(text).toContain("stop 2 at the core already: the import would stop at the first");
    expect(text).toContain("skipped 10 left out on purpose (disabled 10)");
    expect(text).toContain("an import ends so for every row");
    const factors = { code: "factors_untried", count: 2, rows: [], hint: "Try it." } as const;
    const open = [
      summaryText(asked, { ...TOLD, findings: [factors] }, SETTING),
      summaryText({ ...asked, interrupted: true }, TOLD, SETTING),
      summaryText({ ...asked, truncated: ["users.csv"] }, TOLD, SETTING),
    ];
    for (const one of open) {
      expect(one.join(" ").replace(/\s+/g, " ")).not.toContain("ends so for every row");
    }
    const sampled = { ...asked, prediction: { ...prediction, unasked: 68 } };
    const said = summaryText(sampled, TOLD, SETTING).join(" ").replace(/\s+/g, " ");
    expect(said).toContain("932 of 1,000 users were looked up");
    expect(said).toContain("--check-existing 1000");
  });

  it("counts users as the import does, and the rows beside", () => {
    const otherRows = { rejects: { duplicate: 200 }, skips: { same_user: 4 }, failures: {} };
    const lines = summaryText({ ...VALIDATE, otherRows }, TOLD, SETTING);
    expect(lines.slice(0, 3)).toEqual([
      "1,204,000 of 1,204,106 users are ready (99.9 %), 100 rejected, 6 skipped.",
      "Rows that can't be read, or whose user or contact is counted already: 200",
      "rejected, 4 skipped (duplicate 200, same_user 4).",
    ]);
  });

  it("says that nothing was sent and what would be done", () => {
    expect(summaryText({ ...VALIDATE, mapped: 1_204_000 }, TOLD, SETTING)).toEqual([
      "1,204,000 of 1,204,310 users are ready (99.9 %), 300 rejected, 10 skipped.",
      "1,204,310 rows of csv, no core asked, nothing sent, 1 min 2 s; an import would",
      "end so:",
      "",
      "  imported       1,204,000   with their password (bcrypt 1,200,000,",
      "                             vendor_scrypt 4,000)",
      "  skipped               10   left out on purpose (disabled 10)",
      "  rejected             300   can't be migrated as they are",
      "  ids kept       1,204,000   of those at the core are known by the vendor's id",
      ...REJECTED,
      "",
      "Notices",
      "  phone_not_migrated   1,000,000",
      "      A user with a password or a social account has no place for a phone: the",
      "      application keeps it.",
      "  profile_not_migrated   5",
      "      The core takes no names and pictures, or --carry leaves them out: the",
      "      application takes them over.",
      ...FOUND,
    ]);
  });

  it("names notices by their codes alone where their words have no room", () => {
    const layout = { ...PLAIN_LAYOUT, lines: 26 };
    const lines = summaryText(VALIDATE, TOLD, { ...SETTING, layout });
    expect(lines).toContain(NAMED);
    expect(lines).not.toContain("Notices");
  });
});

it.each([
  [0, "0 rows"],
  [1, "1 row"],
  [1234, "1,234 rows"],
])("counts %i as %s", (number, text) => {
  expect(count(number, "row")).toBe(text);
});

it("names a core by its file or its address", () => {
  expect(coreText({ kind: "embedded", file: "users.db" })).toBe("the embedded core users.db");
  expect(coreText({ kind: "remote", url: "https://core.example.com" })).toBe(
    "the core at https://core.example.com",
  );
});

it("names the rows of a group file by file", () => {
  const examples = [
    { file: "may.csv", number: 7 },
    { file: "june.csv", number: 2 },
    { file: "may.csv", number: 9 },
  ];
  const group: RefusalGroup = {
    type: "reject",
    code: "pbkdf2",
    hint: "Reset.",
    count: 3,
    examples,
  };
  expect(summaryText(IMPORT, { groups: [group], findings: [] }, SETTING).at(-2)).toBe(
    "  pbkdf2   3   may.csv, rows 7, 9; june.csv, row 2",
  );
});
