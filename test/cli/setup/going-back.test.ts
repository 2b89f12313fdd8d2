import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { type Step, walkOver } from "../../../src/cli/setup/steps.js";
import { walk } from "../../../src/cli/setup/walk.js";
import { RunError } from "../../../src/errors/run-error.js";
import { workFolders } from "../support.js";
import { knownAt, valuesOf } from "./support/ask.js";
import { ADA, OTHER, OWN } from "./support/projects.js";
import { scriptedAsker } from "./support/scripted-asker.js";

const KINDS = [
  { value: "house", label: "A house" },
  { value: "boat", label: "A boat" },
] as const;

/** Four questions, of which the second depends on the first. */
const TABLE: readonly Step[] = [
  {
    isOpen: ({ kind }) => kind === null,
    question: () => ({ kind: "choose", message: "Where do you live?", choices: KINDS }),
    check: (kind) => ({ kind, said: [{ as: "found", text: `You live in a ${kind}.` }] }),
  },
  {
    isOpen: ({ url }) => url === null,
    question: ({ kind }) => ({ kind: "text", message: `The ${kind}'s name?` }),
    check(url) {
      if (url !== "") return { url, said: [{ as: "found", text: `It is called ${url}.` }] };
      throw new RunError("usage", "A name has letters", { hint: "Type it" });
    },
  },
  {
    isOpen: ({ apiKey }) => apiKey === undefined,
    question: () => ({ kind: "secret", message: "Its key?" }),
    check: (apiKey) => ({ apiKey }),
  },
  {
    isOpen: ({ way }) => way === null,
    question: () => ({ kind: "confirm", message: "Sure?" }),
    check: (way) => ({ way }),
  },
];

async function talk(asker: ReturnType<typeof scriptedAsker>) {
  const { kind, url, apiKey, way } = await walkOver(TABLE, await knownAt({}), asker);
  return { kind, name: url, key: apiKey, sure: way };
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
  function walked(folder: string, ...script: readonly string[]) {
    const asker = scriptedAsker(...script, "write");
    const places = { config: join(folder, "setup.json"), coreConfig: join(folder, "core.yaml") };
    const setting = { places, problem: () => {} };
    return { asker, answers: walk([], valuesOf({}), asker, setting).then((one) => one.answers) };
  }

  it("asks eight questions from an export of Firebase's to a proof at an embedded core, and one before it writes", async () => {
    const folder = newFolder();
    const data = join(folder, "auth-core.db");
    const core = ["embedded", data];
    const script = [OWN.users, "done", "paste", OWN.block, ...core, ADA.email, ADA.password];
    const { asker, answers } = walked(folder, ...script);
    expect(await answers).toMatchObject({ proved: true, core: { data }, byCode: false });
    expect(asker.asked).toHaveLength(9);
    expect(asker.left()).toEqual([]);
  });

  it("goes back from a paste to the way in which the parameters are given", async () => {
    const folder = newFolder();
    const data = join(folder, "auth-core.db");
    const start = [OWN.users, "done", "paste", "back", "file", OWN.hashConfig];
    const { asker, answers } = walked(folder, ...start, "embedded", data, ADA.email, ADA.password);
    expect(await answers).toMatchObject({ proved: true });
    expect(asker.left()).toEqual([]);
  });

  it("goes back over files and cores, and forgets the answers that it went over", async () => {
    const folder = newFolder();
    const data = join(folder, "auth-core.db");
    const start = [OTHER.users, "done", "paste", OTHER.block, "embedded", "back", "back", "back"];
    const again = ["back", "back", OWN.users, "done", "paste", OWN.block, "embedded", data];
    const { asker, answers } = walked(folder, ...start, ...again, ADA.email, ADA.password);
    expect(await answers).toMatchObject({
      proved: true,
      files: [OWN.users],
      parameters: { signerKey: OWN.signerKey },
    });
    expect(asker.left()).toEqual([]);
  });
});
