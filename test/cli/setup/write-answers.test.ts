import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answers } from "../../../src/cli/setup/configuration.js";
import { type Known, walkOver } from "../../../src/cli/setup/steps.js";
import { writing } from "../../../src/cli/setup/write-steps.js";
import type { Asker } from "../../../src/cli/setup/asker.js";
import { workFolders } from "../support.js";
import { knownAt } from "./support/ask.js";
import { scriptedAsker } from "./support/scripted-asker.js";

const workFolder = workFolders();
const ANSWERS: Answers = {
  files: ["users.csv"],
  byCode: false,
  bridged: { users: 0, seen: 3 },
  parameters: { hashConfig: null, signerKey: "bGlnaHRob3VzZQ==" },
  core: { kind: "embedded", data: "harbor.db", users: null, carried: [] },
  proved: false,
  provedUser: null,
  options: { data: "harbor.db" },
  mapping: null,
};

function placesIn(folder: string) {
  return { config: join(folder, "setup.json"), coreConfig: join(folder, "core.yaml") };
}

async function write(places: Known["places"], asker: Asker): Promise<Known> {
  return walkOver(
    writing(async () => ANSWERS),
    await knownAt({ places }),
    asker,
  );
}

describe("answers that can't be written", () => {
  it("ask for another place, and nothing is asked again", async () => {
    const folder = workFolder();
    const places = placesIn(join(folder, "missing"));
    const there = join(folder, "move.json");
    const asker = scriptedAsker("write", there, "write");
    const { written } = await write(places, asker);
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
    const ask: Asker["ask"] = (...question) => {
      if (asker.asked.length === 0) writeFileSync(places.config, '{"onUnusableHash":"bridge"}\n');
      return asker.ask(...question);
    };
    await write(places, { ...asker, ask });
    expect(asker.said.join("\n")).toMatch(
      /is there already\.[\s\S]*is there already with other options/,
    );
    expect(JSON.parse(readFileSync(places.config, "utf8"))).toEqual({
      onUnusableHash: "bridge",
      coreConfig: places.coreConfig,
      data: "harbor.db",
    });
    expect(readdirSync(folder).sort()).toEqual(["core.yaml", "setup.json"]);
  });
});
