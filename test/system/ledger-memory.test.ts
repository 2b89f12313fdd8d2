import { tmpdir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { type Checkpoint, openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import type { IntentWrite, Touch } from "../../src/plan/entry.js";
import { STATE } from "../../src/plan/states.js";
import { openScratch } from "../../src/sqlite/database.js";
import { HeldKeys } from "../../src/stage/held-keys.js";
import { RowMatcher } from "../../src/stage/matcher.js";
import { TABLES } from "../../src/stage/questions.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  EVERY_KEY,
  intent,
  at,
  type Person,
  SCOPE,
  touch,
  userKeys,
} from "../run/support/user-keys.js";

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

/** Says of rows whose they are, as a stage does. */
function matching({ ledger }: Checkpoint) {
  const database = openScratch(tmpdir(), ledger.database);
  database.exec(TABLES + EVERY_KEY);
  const held = new HeldKeys(database);
  const matcher = new RowMatcher(held, ledger.users, at);
  return (people: readonly Person[], first: number) => {
    const keys = people.map(userKeys);
    held.begin(keys);
    const users = keys.map((own, index) => {
      const match = matcher.match(own, first + index);
      if (match.kind !== "entry") throw new Error(`unexpected ${match.kind}`);
      return match.entry?.id ?? null;
    });
    held.end();
    ledger.expect(users.flatMap((user) => user ?? []));
    return keys.map((own, index) => ledger.entryOf(own, users[index] ?? null, SCOPE));
  };
}

/** Meets one batch, keeps every tenth user as they are, and admits the others. */
async function takeIn(
  { ledger }: Checkpoint,
  match: ReturnType<typeof matching>,
  batch: number,
  domain: string,
): Promise<void> {
  const people = peopleOf(batch, domain);
  const entries = match(people, batch * BATCH + 1);
  const intents: IntentWrite[] = [];
  const touched: Touch[] = [];
  for (const [index, entry] of entries.entries()) {
    const person = people[index] ?? {};
    if (entry.state !== null && entry.id % 10 === 0) touched.push(touch(person, entry));
    else intents.push(intent(person, entry, { state: STATE.rejected }));
  }
  await ledger.writeIntents(intents, touched);
}

it("ledger and stage remember nobody in memory, in a first run and in the next", async () => {
  const path = newPath("checkpoint");
  for (const domain of ["example.com", "example.org"]) {
    const checkpoint = openCheckpoint(path);
    const match = matching(checkpoint);
    let before = 0;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      if (batch === WARM_UP) before = heapBytes();
      await takeIn(checkpoint, match, batch, domain);
    }
    const users = BATCH * (BATCHES - WARM_UP);
    expect((heapBytes() - before) / users).toBeLessThan(MOST_BYTES_A_USER);
    checkpoint.close();
  }
});
