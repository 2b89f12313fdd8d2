import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import type { HintWords } from "../../src/errors/option-words.js";
import { loadPasswordExport } from "../../src/password-export/load-export.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { passwordLines, userLines } from "../password-export/support.js";
import { prepareMigration } from "../run/support/people.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const CONNECTION = "Username-Password-Authentication";

/** What each function tells its caller, in the words that are asked for. */
const TELLERS = {
  async loadPasswordExport(hints?: HintWords) {
    const path = newPath("users.ndjson");
    writeFileSync(path, userLines([{ id: "a1", email: "ann@example.com" }]));
    const error = await loadPasswordExport([path], { hints }).catch((caught) => caught);
    return error.hint;
  },
  async "validateUsers of a password export"(hints?: HintWords) {
    const [users, lines] = [newPath("users.ndjson"), newPath("passwords.ndjson")];
    const email = "ann@example.com";
    writeFileSync(users, userLines([{ id: "a1", email, connection: CONNECTION }]));
    const twice = ["h1", "h2"].map((hash) => ({ oid: "a1", email, connection: CONNECTION, hash }));
    writeFileSync(lines, passwordLines(twice));
    const passwordExport = await loadPasswordExport([lines]);
    const inputs = await openInputs([users], { from: "auth0" });
    const told: string[] = [];
    await validateUsers({
      inputs,
      passwordExport,
      ...(hints && { hints }),
      onEvent: (event) => {
        if (event.type === "finding" && event.code === "input_doubtful") told.push(event.hint);
      },
    });
    passwordExport.close();
    return told[0];
  },
  async openReport(hints?: HintWords) {
    const { migration, file } = prepareMigration(newPath);
    await migration.run([file]);
    const report = openReport(migration.checkpoint, null, { hints });
    const hint = [...report.refused()].find(({ code }) => code === "bcrypt_length")?.hint;
    report.close();
    return hint;
  },
  async "openReport of a checkpoint that isn't one"(hints?: HintWords) {
    try {
      openReport(newPath("nowhere"), null, { hints });
    } catch (error) {
      return (error as { hint: string }).hint;
    }
    return undefined;
  },
};

it.each(Object.entries(TELLERS))(
  "%s tells a program of its options, and the command line of flags",
  async (_name, hintOf) => {
    expect(await hintOf()).not.toMatch(/--[a-z]/);
    expect(await hintOf("flags")).toMatch(/--[a-z]/);
  },
);
