import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { type Checkpoint, openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { STATE } from "../../src/plan/states.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { intent, at, entryOf, type Person, touch } from "../run/support/user-keys.js";

const newPath = temporaryPaths();
const BATCH = 1000;
const BATCHES = 15;
/** Met before the heap is measured first. */
const WARM_UP = 3;
/** Less than a single entry of a map takes. */
const MOST_BYTES_A_USER = 30;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

function heapBytes(): number {
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}

/** Every third user has no id, and everybody another address at each domain. */
function peopleOf(batch: number, domain: string): Person[] {
  return Array.from({ length: BATCH }, (_, index) => {
    const number = batch * BATCH + index + 1;
    const emails = [`reader.${number}@${number % 3 === 0 ? "example.com" : domain}`];
    const id = number % 3 === 0 ? {} : { id: `r-${number}` };
    return { ...id, emails, plan: domain, row: at(number, domain) };
  });
}

/** Meets one batch, keeps every tenth user as they are, and admits the others. */
async function takeIn(checkpoint: Checkpoint, batch: number, domain: string): Promise<void> {
  const met = peopleOf(batch, domain).map((person) => ({
    person,
    entry: entryOf(checkpoint, person),
  }));
  const isKept = ({
    entry,
  }: {
    readonly entry: { readonly state: unknown; readonly id: number };
  }) => entry.state !== null && entry.id % 10 === 0;
  await checkpoint.ledger.writeIntents(
    met.flatMap((one) =>
      isKept(one) ? [] : [intent(one.person, one.entry, { state: STATE.rejected })],
    ),
    met.flatMap((one) => (isKept(one) ? [touch(one.person, one.entry)] : [])),
  );
}

it("the ledger remembers nobody whom it has written, in a first run and in the next", async () => {
  const path = newPath("checkpoint");
  for (const domain of ["example.com", "example.org"]) {
    const checkpoint = openCheckpoint(path);
    let before = 0;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      if (batch === WARM_UP) before = heapBytes();
      await takeIn(checkpoint, batch, domain);
    }
    const users = BATCH * (BATCHES - WARM_UP);
    expect((heapBytes() - before) / users).toBeLessThan(MOST_BYTES_A_USER);
    checkpoint.close();
  }
});
