import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  importCommand,
  provedImportCommand,
  resumeCommand,
  unlimitedCommand,
} from "../../src/cli/resume-command.js";

const NODE = ["/usr/bin/node", "/app/bin/auth-migrate.js"];

it("repeats plain words as they were typed", () => {
  const words = ["import", "users.csv", "--map", "email=mail_address", "--accept-rejects", "2%"];
  expect(resumeCommand([...NODE, ...words])).toBe(`auth-migrate ${words.join(" ")}`);
});

it("quotes what a shell would take apart", () => {
  expect(resumeCommand([...NODE, "import", "May's users.csv", "$HOME"])).toBe(
    "auth-migrate import 'May'\\''s users.csv' '$HOME'",
  );
});

it("gives a shell back the very words, whatever they are", () => {
  const printableWord = fc.string({ unit: "grapheme-ascii" });
  fc.assert(
    fc.property(fc.array(printableWord, { minLength: 1, maxLength: 4 }), (words) => {
      const typed = resumeCommand([...NODE, ...words]).replace(/^auth-migrate/, "printf '%s\\n'");
      const shown = execFileSync("/bin/sh", ["-c", typed], { encoding: "utf8" });
      expect(shown).toBe(words.map((word) => `${word}\n`).join(""));
    }),
    { numRuns: 40 },
  );
});

it("shows control characters instead of letting them act", () => {
  expect(resumeCommand([...NODE, "import", "users\u001b[2J.csv"])).toBe(
    "auth-migrate import 'users\\u{1b}[2J.csv'",
  );
});

it.each([
  ["validate", "users.csv", "--expect-users", "5"],
  ["import", "users.csv", "--dry-run", "--expect-users", "5"],
])("makes the import of a dry run: %s %s %s", (...words) => {
  expect(importCommand([...NODE, ...words])).toBe("auth-migrate import users.csv --expect-users 5");
});

it.each([
  [["users.csv", "--passwords", "p.csv"], "users.csv --prove p.csv"],
  [["users.csv", "--passwords=p.csv", "--user=ann@example.com"], "users.csv --prove=p.csv"],
  [
    [
      "--user",
      "ann@example.com",
      "users.csv",
      "--user",
      "--user",
      "--core",
      "https://core.example.com",
    ],
    "users.csv --core https://core.example.com",
  ],
  [["--user", "u-1", "--user", "u-2", "users.csv"], "users.csv"],
])("makes the import of a proof, which proves again and names nobody: %j", (words, expected) => {
  const command = provedImportCommand([...NODE, "prove", ...words]);
  expect(command).toBe(`auth-migrate import ${expected}`);
});

it.each([[["import", "--limit", "50", "users.csv"]], [["import", "users.csv", "--limit=50"]]])(
  "makes the import of everybody from a pilot: %j",
  (words) => {
    expect(unlimitedCommand([...NODE, ...words])).toBe("auth-migrate import users.csv");
  },
);
