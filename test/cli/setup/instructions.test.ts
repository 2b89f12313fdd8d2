import { expect, it } from "vitest";
import { answerLines, importCommandOf } from "../../../src/cli/setup/instructions.js";
import { noticeHint } from "../../../src/report/notice-hints.js";
import type { Answers } from "../../../src/cli/setup/steps.js";
import { valuesOf } from "./support/ask.js";

it("the import is told what is read of a database, which no configuration is for other files", () => {
  const answers = {
    look: { inputs: [{ path: "postgres://reader@db/app" }] },
    core: { kind: "embedded", data: "auth-core.db" },
    options: {},
    mapping: null,
  } as unknown as Answers;
  const places = { config: "auth-migrate.config.json", coreConfig: "auth-core.yaml" };
  const values = valuesOf({ table: "app.members", inputPasswordFile: "reader.txt" });
  expect(importCommandOf(answers, places, values)).toBe(
    "auth-migrate import postgres://reader@db/app --table app.members --input-password-file reader.txt",
  );
});

it("the answers name each column, what was said of it, and the import's other options", () => {
  const options = {
    map: ["roles=Rolle", "disabled=Zustand=ruhend", "email=ann@example.com"],
    defaultCountry: "DE",
    roles: "create",
    data: "auth-core.db",
  };
  const read = [{ name: "Eintritt", as: "joined", filled: 30, dates: ["day"] }];
  const columns = { file: "kunden.csv", read, unread: [{ name: "Tarif", filled: 3 }] };
  const answers = {
    look: {
      inputs: [
        { path: "kunden.csv", source: { name: "csv", generic: true }, reason: "a header row" },
      ],
    },
    core: { kind: "embedded", data: "auth-core.db" },
    parameters: { hashConfig: null, signerKey: null },
    proof: { proved: false, user: null },
    foreseen: {
      summary: { rejects: {}, notices: { phone_not_migrated: 2 }, read: 30, truncated: [] },
      columns: [columns],
    },
    mapping: null,
    options,
  } as unknown as Answers;
  expect(answerLines(answers, [])).toEqual([
    "kunden.csv: read as csv (a header row)",
    "kunden.csv: read: Eintritt as joined (day first)",
    "kunden.csv: not read: Tarif (3)",
    "Core: embedded, auth-core.db",
    'Column "Rolle": roles',
    'Column "Zustand": disabled where it says "ruhend"',
    "Column (not a name): email",
    "Options: --default-country DE",
    "Roles: create",
    "Proof: none",
    "Of users in 30 rows:",
    `  phone_not_migrated 2: ${noticeHint("phone_not_migrated")}`,
    "To write: ",
  ]);
  const places = { config: "auth-migrate.config.json", coreConfig: "auth-core.yaml" };
  expect(importCommandOf(answers, places, valuesOf({}))).toBe(
    "auth-migrate import kunden.csv --roles create",
  );
});
