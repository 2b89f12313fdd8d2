import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answers } from "../../../src/cli/setup/configuration.js";
import { writeAnswers } from "../../../src/cli/setup/write-answers.js";
import { workFolders } from "../support.js";
import { scriptedAsker } from "./support/scripted-asker.js";

const workFolder = workFolders();
const unheard = { problem: () => {} };
const ANSWERS: Answers = {
  files: ["users.csv"],
  byCode: false,
  bridged: { users: 0, seen: 3 },
  parameters: { hashConfig: null, signerKey: "bGlnaHRob3VzZQ==" },
  core: { kind: "embedded", data: "harbor.db", users: null, carried: [] },
  proved: false,
  provedUser: null,
  options: {},
  mapping: null,
};

function placesIn(folder: string) {
  return { config: join(folder, "setup.json"), coreConfig: join(folder, "core.yaml") };
}

describe("answers that can't be written", () => {
  it("ask for another place, and nothing is asked again", async () => {
    const folder = workFolder();
    const places = placesIn(join(folder, "missing"));
    const there = join(folder, "move.json");
    const asker = scriptedAsker("write", there, "write");
    const { written } = await writeAnswers(
      { answers: ANSWERS, places, force: false },
      asker,
      unheard,
    );
    expect(asker.said.join("\n")).toMatch(/can't be written \(ENOENT\)/);
    expect(written).toEqual([there, join(folder, "core.yaml")]);
    expect(JSON.parse(readFileSync(there, "utf8"))).toEqual({
      coreConfig: join(folder, "core.yaml"),
      data: "harbor.db",
    });
  });

  it("are shown again with a file that came to be in the meantime, and keep what it says", async () => {
    const folder = workFolder();
    const places = placesIn(folder);
    const asker = scriptedAsker("write", places.config, "write");
    const choose: typeof asker.choose = (...question) => {
      if (asker.asked.length === 0) writeFileSync(places.config, '{"onUnusableHash":"bridge"}\n');
      return asker.choose(...question);
    };
    const writing = { answers: ANSWERS, places, force: false };
    await writeAnswers(writing, { ...asker, choose }, unheard);
    expect(asker.said.join("\n")).toMatch(
      /is there already\.[\s\S]*is there already with other options/,
    );
    expect(JSON.parse(readFileSync(places.config, "utf8"))).toEqual({
      onUnusableHash: "bridge",
      data: "harbor.db",
    });
    expect(readdirSync(folder).sort()).toEqual(["core.yaml", "setup.json"]);
  });
});
