import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { createOracle, runClean } from "../support/oracle.js";
import { randomFrom } from "../support/random.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { writeCrowd } from "./crowd.js";

const path = temporaryPaths();
const USERS = 400;
const DAY_MS = 86_400_000;

/** A wall clock that is set now and then, by up to a day, while nothing else happens. */
function jumpingClock(seed: number): () => number {
  const dice = randomFrom(seed);
  let offset = 0;
  return () => {
    if (dice.chance(1, 100)) offset += dice.below(2 * DAY_MS) - DAY_MS;
    return Date.now() + offset;
  };
}

describe("an import while the clock is set back and forth", () => {
  it.each([1, 2, 3])(
    "brings everybody once, although codes run out between two calls (seed %i)",
    async (seed) => {
      const [csv, data, checkpoint] = [path("readers.csv"), path("core.db"), path("checkpoint")];
      writeCrowd(csv, USERS);
      // Whole accounts take no codes.
      const judged = { policy: { carry: [] } };
      const oracle = createOracle(await runClean([csv], judged), data, checkpoint);
      const core = openEmbeddedCore({ file: data, now: jumpingClock(seed) });
      const summary = await importUsers({
        ...judged,
        inputs: await openInputs([csv]),
        core: oracle.watch(core),
        checkpoint,
        concurrency: 32,
      });
      oracle.runEnded();
      await core.close();
      // Some codes did: those users were begun again with another one.
      expect(summary.calls.code).toBeGreaterThan(summary.created);
      oracle.expectRecovered(summary);
    },
  );
});
