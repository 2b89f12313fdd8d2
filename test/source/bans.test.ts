/** Whether an export says whom the vendor keeps out, for every vendor that always has a field for it. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { MigrationEvent } from "../../src/events/events.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { hashConfigOf, KEY } from "../run/support/test-users.js";

const newPath = temporaryPaths();
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The fields by vendor, of JSON forms. */
const BANS = new Map<string, readonly string[]>([["auth0", ["blocked"]]]);
for (const file of readdirSync(join(ROOT, "mappings"))) {
  const { name, bans } = parse(readFileSync(join(ROOT, "mappings", file), "utf8"));
  // Casdoor's fixture asks for options of its own.
  if (bans !== undefined && name !== "casdoor") BANS.set(name, bans);
}

/** Fixtures of JSON in which some user has one of the fields. */
const FILES = [...BANS].flatMap(([vendor, fields]) => {
  const folder = join(ROOT, "fixtures/sources", vendor);
  return readdirSync(folder)
    .filter((name) => /^(?!.*(?:expected|extension|manifest)).*\.(?:json|ndjson|jsonl)$/.test(name))
    .map((name) => ({ vendor, fields, name, text: readFileSync(join(folder, name), "utf8") }))
    .filter(({ text }) => fields.some((field) => text.includes(`"${field}"`)));
});

/** The text with the field under another name, which says nothing of it: in the first of its places, or in all. */
function without(text: string, fields: readonly string[], flags: "" | "g"): string {
  const field = new RegExp(`"(?:${fields.join("|")})"(?=\\s*:)`, flags);
  return text.replace(field, '"somethingElse"');
}

async function findingsOf(text: string, vendor: string, name: string): Promise<string[]> {
  const path = newPath(name);
  writeFileSync(path, text);
  const codes: string[] = [];
  const onEvent = (event: MigrationEvent): void => {
    if (event.type === "finding") codes.push(event.code);
  };
  const inputs = await openInputs([path], { from: vendor });
  await validateUsers({ inputs, hashConfig: hashConfigOf(KEY), onEvent });
  return codes.filter((code) => code === "bans_not_exported");
}

describe("a JSON export in which no user has the field that says whom the vendor keeps out", () => {
  it("is of several vendors", () => {
    expect(new Set(FILES.map(({ vendor }) => vendor)).size).toBeGreaterThan(3);
  });

  it.each(FILES)(
    "has a finding, once, of $vendor's $name",
    async ({ vendor, fields, name, text }) => {
      expect(await findingsOf(text, vendor, name)).toEqual([]);
      const oneLess = without(text, fields, "");
      const isLast = oneLess === without(text, fields, "g");
      expect(await findingsOf(oneLess, vendor, name)).toHaveLength(isLast ? 1 : 0);
      expect(await findingsOf(without(text, fields, "g"), vendor, name)).toEqual([
        "bans_not_exported",
      ]);
    },
  );
});
