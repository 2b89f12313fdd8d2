import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { importVerb } from "../../src/cli/commands/import.js";
import { asStarted } from "../../src/cli/io.js";
import { splitVerb } from "../../src/cli/commands/split.js";
import { validateVerb } from "../../src/cli/commands/validate.js";
import {
  nextCommands,
  partImportCommand,
  provedImportCommand,
  resumeCommand,
} from "../../src/cli/resume-command.js";
import { commandLines } from "../../src/report/layout.js";

const NODE = ["/usr/bin/node", "/app/bin/auth-migrate.js"];

const REJECT = { onUnusableHash: "reject" } as const;
const MENDING = {
  options: importVerb.options,
  values: { ...REJECT, checkpoint: "may.checkpoint" },
  isDry: false,
  canPrompt: true,
};

it("repeats plain words as they were typed", () => {
  const words = ["import", "users.csv", "--map", "email=mail_address", "--accept-rejects", "2%"];
  expect(resumeCommand([...NODE, ...words])).toBe(`auth-migrate ${words.join(" ")}`);
});

it.each([
  ["npx", "/home/kim/.npm/_npx/1a2b/node_modules/.bin/auth-migrate", "npx auth-migrate import"],
  ["npx", "/srv/app/node_modules/.bin/vitest", "auth-migrate import"],
  [undefined, "/usr/local/bin/auth-migrate", "auth-migrate import"],
])("names what started it: %s of %s", (event, bin, command) => {
  const [, script = ""] = process.argv;
  vi.stubEnv("npm_lifecycle_event", event);
  process.argv[1] = bin;
  try {
    expect(resumeCommand([...NODE, "import"])).toBe(command);
    // In the sentence of a message as well, and once.
    expect(asStarted("Run auth-migrate import.")).toBe(`Run ${command}.`);
    const step = "npx --no-install auth-migrate import";
    expect(asStarted(step)).toBe(step);
    expect(asStarted(`Run ${command}: auth-migrate: done.`)).toBe(
      `Run ${command}: auth-migrate: done.`,
    );
    // A job starts what is installed, however this one was started.
    const job = "npx --no-install auth-migrate import";
    expect(asStarted(job)).toBe(job);
  } finally {
    process.argv[1] = script;
    vi.unstubAllEnvs();
  }
});

it("quotes what a shell would take apart", () => {
  expect(resumeCommand([...NODE, "import", "May's users.csv", "$HOME"])).toBe(
    "auth-migrate import 'May'\\''s users.csv' '$HOME'",
  );
});

/** What a shell makes of commands that print their words, ten in a process, beside those words. */
function expectSameWords(
  commands: fc.Arbitrary<{ readonly typed: string; readonly words: readonly string[] }>,
): void {
  fc.assert(
    fc.property(fc.array(commands, { minLength: 10, maxLength: 10 }), (all) => {
      const script = all.map(({ typed }) => typed.replace(/auth-migrate/, "printf '%s\\n'"));
      const shown = execFileSync("/bin/sh", ["-c", script.join("\n")], { encoding: "utf8" });
      expect(shown).toBe(all.flatMap(({ words }) => words.map((word) => `${word}\n`)).join(""));
    }),
    { numRuns: 4 },
  );
}

it("gives a shell back the very words, whatever they are", () => {
  const printableWord = fc.string({ unit: "grapheme-ascii" });
  const words = fc.array(printableWord, { minLength: 1, maxLength: 4 });
  expectSameWords(words.map((words) => ({ words, typed: resumeCommand([...NODE, ...words]) })));
});

it("shows control characters instead of letting them act", () => {
  expect(resumeCommand([...NODE, "import", "users\u001b[2J.csv"])).toBe(
    "auth-migrate import 'users\\u{1b}[2J.csv'",
  );
});

it.each([
  ["validate", "users.csv", "--expect-users", "5"],
  ["import", "users.csv", "--dry-run", "--expect-users", "5"],
  ["validate", "users.csv", "--fields", "--expect-users", "5"],
])("makes the import of a dry run: %s %s %s", (...words) => {
  const options = { ...importVerb.options, ...validateVerb.options };
  const { begin } = nextCommands({ options, values: REJECT, isDry: true, canPrompt: true }, [
    ...NODE,
    ...words,
  ]);
  expect(begin).toBe("auth-migrate import users.csv --expect-users 5");
});

it("makes the proof of a dry run, which asks for passwords or is given them", () => {
  const run = { options: validateVerb.options, values: REJECT, isDry: true };
  for (const [canPrompt, words] of [
    [true, "users.csv --from csv"],
    [false, "--no-input users.csv --from csv"],
  ] as const) {
    const { prove } = nextCommands({ ...run, canPrompt }, [
      ...NODE,
      "validate",
      ...words.split(" "),
    ]);
    expect(prove).toBe(`auth-migrate prove ${words}${canPrompt ? "" : " --passwords FILE"}`);
  }
});

it.each([
  [["users.csv", "--passwords", "p.csv"], "users.csv --prove p.csv"],
  [["users.csv", "--passwords=p.csv"], "users.csv --prove=p.csv"],
  [["--core", "https://core.example.com", "u.csv"], "--core https://core.example.com u.csv"],
])("makes the import of a proof, which proves again: %j", (words, expected) => {
  const command = provedImportCommand([...NODE, "prove", ...words], []);
  expect(command).toBe(`auth-migrate import ${expected}`);
});

it.each([[["import", "--limit", "50", "users.csv"]], [["import", "users.csv", "--limit=50"]]])(
  "makes the import of all users from a pilot: %j",
  (words) => {
    const { unlimited } = nextCommands(MENDING, [...NODE, ...words]);
    expect(unlimited).toBe("auth-migrate import users.csv");
  },
);

it.each([
  [["users.csv", "--keep-ids"], null, "rejects.csv --keep-ids"],
  [["--keep-ids", "users.csv"], "csv", "--keep-ids rejects.csv --from csv"],
  [["--namespace", "users.csv", "users.csv"], null, "--namespace users.csv rejects.csv"],
  [["users.csv", "--expect-users", "245"], null, "rejects.csv"],
  [["users.csv", "--accept-rejects", "9"], null, "rejects.csv"],
  [["users.csv", "--require-proof", "--prove", "tests.csv"], null, "rejects.csv"],
  [["--expect-users=245", "users.csv"], null, "rejects.csv"],
])("makes the import of mended rows: %j", (words, from, expected) => {
  const next = nextCommands(MENDING, [...NODE, "import", ...words]);
  expect(next.of(["rejects.csv"], from)).toBe(`auth-migrate import ${expected}`);
  expect(next.report).toBe("auth-migrate report --checkpoint may.checkpoint");
});

it.each([
  ["users.csv", "csv"],
  ["json/users.csv", "csv"],
  ["users.json.gz", "ndjson"],
  ["export/users.ndjson", "ndjson"],
  ["postgres://reader@db/kratos", "ndjson"],
])("names a file for the rejects of %s by the form of its rows: %s", (file, form) => {
  const { filing } = nextCommands(MENDING, [...NODE, "import", file]);
  expect(filing).toBe(`auth-migrate import ${file} --rejects-out rejects.${form}`);
});

it.each([
  [
    ["users.csv", "--hash-config", "hash.txt", "--shards", "2", "--out-dir", "my parts"],
    "--hash-config hash.txt",
  ],
  [["--shards=2", "--keep-ids", "users.csv", "more.csv", "--out-dir=p"], "--keep-ids"],
  [
    ["--namespace", "users.csv", "users.csv", "--shards", "2", "--out-dir", "p"],
    "--namespace users.csv",
  ],
])("makes the import of a split's first part, by the same options: %j", (words, expected) => {
  const command = partImportCommand(splitVerb.options, "my parts/part-1", [
    ...NODE,
    "split",
    ...words,
  ]);
  expect(command).toBe(`auth-migrate import 'my parts/part-1' ${expected}`);
});

it.each([
  ["parts/part-3", "rejects.csv --checkpoint may.checkpoint --from django"],
  ["--checkpoint=own parts/part-3", "--checkpoint=own rejects.csv --from django"],
  ["parts/part-3 --from=cakephp", "rejects.csv --from=cakephp --checkpoint may.checkpoint"],
])(
  "reads a part's mended rows by what its manifest says whose they are, unless a word does: %j",
  (words, expected) => {
    const part = { ...MENDING, part: { from: "django" } };
    const next = nextCommands(part, [...NODE, "import", ...words.split(" ")]);
    expect(next.of(["rejects.csv"], null)).toBe(`auth-migrate import ${expected}`);
  },
);

it("breaks a command for a narrow screen so that a shell still reads it as one", () => {
  const word = fc.oneof(fc.constantFrom("--core", "--data"), fc.string({ unit: "grapheme-ascii" }));
  const given = fc.array(word, { minLength: 1, maxLength: 5 }).map((some) => ["import", ...some]);
  expectSameWords(
    given.map((words) => {
      const lines = commandLines(resumeCommand([...NODE, ...words]), 30);
      return { words, typed: lines.join("\n") };
    }),
  );
});

it("leaves a command whole where the screen is unknown", () => {
  const command = resumeCommand([...NODE, "import", "a".repeat(200), "--core", "b".repeat(200)]);
  expect(commandLines(command, null)).toEqual([`  ${command}`]);
});
