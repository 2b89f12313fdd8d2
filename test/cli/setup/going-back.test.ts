import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Question, withWayBack } from "../../../src/cli/setup/asker.js";
import { knownBefore, walk } from "../../../src/cli/setup/walk.js";
import { noticeHint } from "../../../src/report/notice-hints.js";
import { RunError } from "../../../src/errors/run-error.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { workFolders } from "../support.js";
import { valuesOf } from "./support/ask.js";
import { ADA, OTHER, OWN } from "./support/projects.js";
import { scriptedAsker } from "./support/scripted-asker.js";

const KINDS = [
  { value: "house", label: "A house" },
  { value: "boat", label: "A boat" },
] as const;

/** Four questions, of which the second depends on the first. */
function talk(asker: ReturnType<typeof scriptedAsker>) {
  return withWayBack(asker, async ({ ask, found, once }) => {
    const where = { kind: "choose", message: "Where do you live?", choices: KINDS } as const;
    const kind = await ask(where, String);
    found(await once(() => `You live in a ${kind}.`));
    const name = await ask({ kind: "text", message: `The ${kind}'s name?` }, (text) => {
      if (text !== "") return text;
      throw new RunError("usage", "A name has letters", { hint: "Type it" });
    });
    found(`It is called ${name}.`);
    const key = await ask({ kind: "secret", message: "Its key?" }, String);
    return { kind, name, key, sure: await ask({ kind: "confirm", message: "Sure?" }, String) };
  });
}

describe("a question whose answer is back", () => {
  it("leads to the one before, whose answers before it stay", async () => {
    const asker = scriptedAsker("boat", "Ada", "back", "Nele", "k-1", "yes");
    const answers = await talk(asker);
    expect(answers).toEqual({ kind: "boat", name: "Nele", key: "k-1", sure: "yes" });
    const asked = ["Where do you live?", "The boat's name?", "Its key?", "The boat's name?"];
    expect(asker.asked).toEqual([...asked, "Its key?", "Sure?"]);
  });

  it("leads to the first one, from anywhere, and what depends on it is asked anew", async () => {
    const asker = scriptedAsker("boat", "Ada", "back", "back", "house", "Elm", "k-1", "no");
    const answers = await talk(asker);
    expect(answers).toEqual({ kind: "house", name: "Elm", key: "k-1", sure: "no" });
  });

  it("says what leads to a question again, and nothing of what stands above it", async () => {
    const asker = scriptedAsker("boat", "", "Ada", "back", "Nele", "k-1", "yes");
    await talk(asker);
    expect(asker.said).toEqual([
      "You live in a boat.",
      "A name has letters.\nType it.",
      "It is called Ada.",
      "You live in a boat.",
      "It is called Nele.",
    ]);
  });

  it("stays where it is before the first answer, where none is offered", async () => {
    const asker = scriptedAsker("boat", "back", "boat", "Ada", "k-1", "yes");
    expect(await talk(asker)).toMatchObject({ kind: "boat" });
    expect(asker.offered).toEqual([
      ["house", "boat"],
      ["house", "boat"],
    ]);
  });
});

describe("the walk", () => {
  const newFolder = workFolders();
  /** What happens while the last question stands there, by how many were asked before. */
  let befall: ((asked: number) => void) | undefined;
  beforeEach(() => {
    befall = undefined;
  });
  function walked(folder: string, ...script: readonly string[]) {
    const scripted = scriptedAsker(...script, "write");
    const asker = {
      ...scripted,
      prompt(question: Question, back: boolean) {
        if (question.message === "Is that right?") befall?.(scripted.asked.length);
        return scripted.prompt(question, back);
      },
    };
    const places = { config: join(folder, "setup.json"), coreConfig: join(folder, "core.yaml") };
    const start = knownBefore([], valuesOf({}), {});
    const written = start.then((known) => walk(known, asker, places));
    return { asker, written, answers: written.then((one) => one.answers) };
  }

  it("asks eight questions from an export of Firebase's to a proof at an embedded core, and one before it writes", async () => {
    const folder = newFolder();
    const data = join(folder, "auth-core.db");
    const core = ["embedded", data];
    const script = [OWN.users, "done", "paste", OWN.block, ...core, ADA.email, ADA.password];
    const { asker, answers } = walked(folder, ...script);
    expect(await answers).toMatchObject({
      proof: { proved: true },
      core: { data },
      look: { summary: { read: 8 } },
    });
    expect(asker.asked).toHaveLength(9);
    expect(asker.left()).toEqual([]);
  });

  it("says in words what stays behind at the core that was chosen, before it writes", async () => {
    const folder = newFolder();
    const { password, passwordHash: hash } = KNOWN_HASHES.bcrypt;
    const file = join(folder, "users.csv");
    const rows = [1, 2].map((n) => `${n},u${n}@example.com,030 123456${n},${hash},editor,9`);
    writeFileSync(file, ["id,email,phone,password_hash,roles,Schuhe", ...rows].join("\n"));
    const toldAt = async (roles: string): Promise<string> => {
      const core = ["embedded", join(folder, "auth-core.db"), roles];
      const proof = ["u1@example.com", password];
      const files = [file, "DE", "column", "roles", "roles", "done"];
      const { asker, answers } = walked(newFolder(), ...files, ...core, ...proof);
      const { notices } = (await answers).foreseen.summary;
      const said = asker.said.join("\n");
      const told = Object.entries(notices).map(([code, n]) => `${code} ${n}: ${noticeHint(code)}`);
      return told.filter((line) => said.includes(`\n  ${line}`)).join("\n");
    };
    const left = await toldAt("none");
    for (const code of ["phone", "fields", "roles"])
      expect(left).toContain(`${code}_not_migrated 2`);
    expect(left).not.toContain("prehash_possible");
    expect(await toldAt("create")).not.toContain("roles_not_migrated");
  });

  it("goes back from a paste to the way in which the parameters are given", async () => {
    const folder = newFolder();
    const data = join(folder, "auth-core.db");
    const start = [OWN.users, "done", "paste", "back", "file", OWN.hashConfig];
    const { asker, answers } = walked(folder, ...start, "embedded", data, ADA.email, ADA.password);
    expect(await answers).toMatchObject({ proof: { proved: true } });
    expect(asker.left()).toEqual([]);
  });

  it("goes back over files and cores, and forgets the answers that it went over", async () => {
    const folder = newFolder();
    const data = join(folder, "auth-core.db");
    const start = [OTHER.users, "done", "paste", OTHER.block, "embedded", "back", "back", "back"];
    const again = ["back", "back", OWN.users, "done", "paste", OWN.block, "embedded", data];
    const { asker, answers } = walked(folder, ...start, ...again, ADA.email, ADA.password);
    expect(await answers).toMatchObject({
      proof: { proved: true },
      look: { inputs: [{ path: OWN.users }] },
      parameters: { signerKey: OWN.signerKey },
    });
    expect(asker.left()).toEqual([]);
  });

  it("adds to a configuration that appears during the last question, and shows it before", async () => {
    const folder = newFolder();
    const data = join(folder, "auth-core.db");
    const config = join(folder, "setup.json");
    const asks = [OWN.users, "done", "paste", OWN.block, "embedded", data, ADA.email, ADA.password];
    befall = (asked) => {
      if (asked === 8) writeFileSync(config, '{ "country": ');
      if (asked === 9) writeFileSync(config, '{ "defaultCountry": "NO" }');
    };
    const { asker, written } = walked(folder, ...asks, "write", "write");
    expect((await written).written).toEqual([config, join(folder, "core.yaml")]);
    expect(JSON.parse(readFileSync(config, "utf8"))).toMatchObject({
      ...{ defaultCountry: "NO", data },
      hashConfig: expect.anything(),
    });
    expect(asker.said.join("\n")).toContain("setup.json is there already with other options");
    expect(asker.left()).toEqual([]);
  });
});
