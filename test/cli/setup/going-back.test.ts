import { describe, expect, it } from "vitest";
import type { Asker } from "../../../src/cli/setup/asker.js";
import { withBack } from "../../../src/cli/setup/going-back.js";
import { walk } from "../../../src/cli/setup/walk.js";
import { RunError } from "../../../src/errors/run-error.js";
import { join } from "node:path";
import { workFolders } from "../support.js";
import { ADA, OTHER, OWN } from "./support/projects.js";
import { scriptedAsker } from "./support/scripted-asker.js";

const KINDS = [
  { value: "house", label: "A house" },
  { value: "boat", label: "A boat" },
] as const;

/** Three questions, of which the second depends on the first. */
async function talk(asker: Asker) {
  const kind = await asker.choose("Where do you live?", KINDS);
  asker.found(`You live in a ${kind}.`);
  const name = await asker.text({
    message: `The ${kind}'s name?`,
    read(text) {
      if (text !== "") return text;
      throw new RunError("usage", "A name has letters", { hint: "Type it" });
    },
  });
  asker.found(`It is called ${name}.`);
  const key = await asker.secret({ message: "Its key?", read: (text) => text });
  const sure = await asker.confirm("Sure?");
  return { kind, name, key, sure };
}

describe("a question whose answer is back", () => {
  it("leads to the one before, whose answers before it stay", async () => {
    const asker = scriptedAsker("boat", "Ada", "back", "Nele", "k-1", "yes");
    const answers = await withBack(asker, talk);
    expect(answers).toEqual({ kind: "boat", name: "Nele", key: "k-1", sure: true });
    const asked = ["Where do you live?", "The boat's name?", "Its key?", "The boat's name?"];
    expect(asker.asked).toEqual([...asked, "Its key?", "Sure?"]);
  });

  it("leads to the first one, from anywhere, and what depends on it is asked anew", async () => {
    const asker = scriptedAsker("boat", "Ada", "back", "back", "house", "Elm", "k-1", "no");
    const answers = await withBack(asker, talk);
    expect(answers).toEqual({ kind: "house", name: "Elm", key: "k-1", sure: false });
  });

  it("says what leads to a question again, and nothing of what stands above it", async () => {
    const asker = scriptedAsker("boat", "", "Ada", "back", "Nele", "k-1", "yes");
    await withBack(asker, talk);
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
    expect(await withBack(asker, talk)).toMatchObject({ kind: "boat" });
    expect(asker.offered).toEqual([
      ["house", "boat"],
      ["house", "boat"],
    ]);
  });
});

describe("the walk", () => {
  const newFolder = workFolders();
  const values = { map: [], allowHash: [], passwordExport: [], onLostFactor: "reject" };
  const given = { ...values, allowInsecure: false } as const;

  function walked(...script: readonly string[]) {
    const asker = scriptedAsker(...script);
    // What commander leaves out is undefined there.
    const options = given as unknown as Parameters<typeof walk>[1];
    return { asker, answers: withBack(asker, (one) => walk([], options, one, {})) };
  }

  it("asks eight questions from an export of Firebase's to a proof at an embedded core, and one before it writes", async () => {
    const data = join(newFolder(), "auth-core.db");
    const core = ["embedded", data];
    const script = [OWN.users, "done", "paste", OWN.block, ...core, ADA.email, ADA.password];
    const { asker, answers } = walked(...script);
    expect(await answers).toMatchObject({ proved: true, core: { data }, byCode: false });
    expect(asker.asked).toHaveLength(8);
    expect(asker.left()).toEqual([]);
  });

  it("goes back from a paste to the way in which the parameters are given", async () => {
    const data = join(newFolder(), "auth-core.db");
    const start = [OWN.users, "done", "paste", "back", "file", OWN.hashConfig];
    const { asker, answers } = walked(...start, "embedded", data, ADA.email, ADA.password);
    expect(await answers).toMatchObject({ proved: true });
    expect(asker.left()).toEqual([]);
  });

  it("goes back over files and cores, and forgets the answers that it went over", async () => {
    const data = join(newFolder(), "auth-core.db");
    const start = [OTHER.users, "done", "paste", OTHER.block, "embedded", "back", "back", "back"];
    const again = ["back", "back", OWN.users, "done", "paste", OWN.block, "embedded", data];
    const { asker, answers } = walked(...start, ...again, ADA.email, ADA.password);
    expect(await answers).toMatchObject({
      proved: true,
      files: [OWN.users],
      parameters: { signerKey: OWN.signerKey },
    });
    expect(asker.left()).toEqual([]);
  });
});
