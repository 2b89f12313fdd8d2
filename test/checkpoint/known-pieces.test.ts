import { expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import type { KeptPiece } from "../../src/checkpoint/known-pieces.js";
import { readFileSync } from "node:fs";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();

function pieceOf(name: string): KeptPiece {
  return {
    digest: name.padEnd(16),
    user: 1,
    facts: `{"name":"${name}"}`,
    keys: Buffer.from("compared by this, of each row"),
  };
}

const [SPRING, SUMMER] = [pieceOf("spring"), pieceOf("summer")];

/** A run over a checkpoint. @returns which of the two pieces were known when it began */
async function run(
  path: string,
  { adds = [], keeps }: { readonly adds?: readonly KeptPiece[]; readonly keeps: boolean },
): Promise<readonly boolean[]> {
  const checkpoint = openCheckpoint(path);
  const { pieces } = checkpoint;
  try {
    const isKnown = pieces.begin() === "all of spring";
    const known = [SPRING, SUMMER].map(({ digest }) => isKnown && pieces.find(digest) !== null);
    const ids = await pieces.add(adds);
    const spans = ids.map((id) => ({ first: id, last: id }));
    if (keeps) await pieces.keep({ pieces: spans, blocks: [] }, "all of spring");
    return known;
  } finally {
    checkpoint.close();
  }
}

it("a run that ends well leaves its pieces to the next one, and no others", async () => {
  const path = newPath("checkpoint");
  expect(await run(path, { adds: [SPRING], keeps: true })).toEqual([false, false]);
  expect(await run(path, { adds: [SUMMER], keeps: true })).toEqual([true, false]);
  expect(await run(path, { keeps: true })).toEqual([false, true]);
  expect(await run(path, { keeps: true })).toEqual([false, false]);
});

it("a run that doesn't end well leaves none, nor does it leave those of before", async () => {
  const path = newPath("checkpoint");
  await run(path, { adds: [SPRING], keeps: true });
  expect(await run(path, { adds: [SUMMER], keeps: false })).toEqual([true, false]);
  expect(await run(path, { keeps: true })).toEqual([false, false]);
});

it("a piece that a run has added isn't found before the next one, also where one like it was there", async () => {
  const path = newPath("checkpoint");
  await run(path, { adds: [SPRING], keeps: true });
  const { pieces, close } = openCheckpoint(path);
  pieces.begin();
  const ids = await pieces.add([SPRING, SUMMER]);
  expect([SPRING, SUMMER].map(({ digest }) => pieces.find(digest))).toEqual([null, null]);
  expect(ids.map((id) => pieces.at(id)?.user)).toEqual([1, 1]);
  close();
});

it("a piece is found with what was kept of it, and the file shows nothing by which a row could be guessed", async () => {
  const path = newPath("checkpoint");
  await run(path, { adds: [SPRING], keeps: true });
  const { pieces, close } = openCheckpoint(path);
  const { id, ...found } = pieces.find(SPRING.digest) ?? { id: 0 };
  const { digest } = SPRING;
  expect({ ...found, keys: pieces.keysOf(id), digest }).toEqual(SPRING);
  expect([pieces.at(id + 1), pieces.keysOf(id + 1)]).toEqual([null, null]);
  close();
  expect(readFileSync(path).includes("compared by this")).toBe(false);
});

it("other options and another checkpoint are another context", () => {
  const [one, other] = [newPath("checkpoint"), newPath("checkpoint")].map((path) =>
    openCheckpoint(path),
  );
  const contexts = [one?.pieces.contextOf("a"), one?.pieces.contextOf("b")];
  expect(new Set([...contexts, other?.pieces.contextOf("a")]).size).toBe(3);
  expect(one?.pieces.contextOf("a")).toBe(contexts[0]);
  one?.close();
  other?.close();
});
