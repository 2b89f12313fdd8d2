import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { RunError } from "../../src/errors/run-error.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import type { BeforeBulk } from "../../src/run/options.js";
import type { Inspection } from "../../src/stage/inspection.js";
import type { Finding, MigrationEvent, ProgressEvent } from "../../src/events/events.js";
import type { Input } from "../../src/source/inputs.js";
import { openInputs } from "../../src/source/inputs.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "./support/batches.js";
import { argon2Of, bcryptOf } from "./support/hashes.js";
import { record } from "./support/records.js";
import { csvOf, type Migration, newMigration, outcomes, type Row } from "./support/run.js";
import { inFull } from "../support/repeated.js";

const newPath = temporaryPaths();

/** Readers 1 to `count` with the hashes that `hashOf` gives them. */
function readers(count: number, hashOf: (number: number) => string): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r-${index + 1}`,
    email: `reader.${index + 1}@example.com`,
    // argon2 has commas inside.
    hash: `"${hashOf(index + 1)}"`,
  }));
}

function prepare(...files: readonly (readonly Row[])[]) {
  const migration = newMigration(newPath);
  const paths = files.map((rows, index) => migration.write(`users-${index + 1}.csv`, csvOf(rows)));
  return { migration, files: paths };
}

/** A dry run of the same files. */
async function validate(migration: Migration, files: readonly string[], inputs?: Input[]) {
  const findings: Finding[] = [];
  const changes = inputs === undefined ? {} : { inputs };
  const options = await migration.options(files, {
    ...changes,
    onEvent: (event) => void (event.type === "finding" && findings.push(event)),
  });
  return { summary: await validateUsers(options), findings };
}

/** An input that stops the run as soon as its first batch was taken. */
function stopping(input: Input, stop: AbortController): Input {
  return {
    ...input,
    async *read(run) {
      for await (const items of input.read(run)) {
        yield items;
        stop.abort();
      }
    },
  };
}

const looksWhole = (text: string): boolean =>
  normalizeHash({ kind: "text", text }).verdict === "accepted";

const codes = (findings: readonly Finding[]): string[] => findings.map(({ code }) => code);

describe("an export whose argon2 hashes were cut off at 76 characters", () => {
  const cut = (number: number): string => argon2Of(number).slice(0, 76);
  /** Cut hashes, those that look whole first: nothing before them says that they are cut. */
  const wholeFirst = Array.from({ length: 150 }, (_, index) => cut(index)).sort(
    (one, other) => Number(looksWhole(other)) - Number(looksWhole(one)),
  );

  it("brings nobody in, not even with a hash that looks whole", async () => {
    expect(wholeFirst.filter(looksWhole).length).toBeGreaterThan(3);
    const { migration, files } = prepare(readers(150, (number) => wholeFirst[number - 1] ?? ""));
    const { summary, findings } = await migration.run(files);
    expect(outcomes(summary)).toEqual({ rejected: 150 });
    expect(summary.rejects.column_truncated).toBeGreaterThan(0);
    expect(summary).toMatchObject({ calls: { import: 0 }, algorithms: {} });
    expect(findings).toMatchObject([{ code: "column_damaged", count: 150 }]);
    expect(await migration.users()).toEqual([]);
  });

  it("is told by a dry run with the same numbers", async () => {
    const { migration, files } = prepare(readers(150, (number) => wholeFirst[number - 1] ?? ""));
    const dry = await validate(migration, files);
    const real = await migration.run(files);
    expect(dry.summary.rejects).toEqual(real.summary.rejects);
    expect(dry.summary.ready).toEqual({ import: 0, passwordless: 0, thirdparty: 0 });
    expect(dry.findings).toEqual(real.findings);
  });

  it("leaves the users of another, whole file alone", async () => {
    const whole = readers(20, (number) => argon2Of(number + 500)).map((row) => ({
      ...row,
      id: `w-${row.id}`,
      email: `w.${row.email}`,
    }));
    const { migration, files } = prepare(readers(60, cut), whole);
    const { summary } = await migration.run(files);
    expect(outcomes(summary)).toEqual({ imported: 20, rejected: 60 });
  });

  it("brings them in without passwords where the operator wants that", async () => {
    const { migration, files } = prepare(readers(60, cut));
    const policy = { onUnusableHash: "passwordless" } as const;
    const { summary } = await migration.run(files, { policy });
    expect(outcomes(summary)).toEqual({ created: 60 });
  });

  it("keeps a disabled user skipped, and isn't confused by them", async () => {
    const rows = readers(60, cut).map((row, index) =>
      index % 2 === 0 ? { ...row, disabled: "true" } : row,
    );
    const { migration, files } = prepare(rows);
    const { summary } = await migration.run(files);
    expect(outcomes(summary)).toEqual({ skipped: 30, rejected: 30 });
  });

  it.runIf(inFull)("is found behind any number of other users", async () => {
    const bcrypt = readers(20_100, bcryptOf);
    const late = readers(80, cut).map((row) => ({
      ...row,
      id: `l-${row.id}`,
      email: `l.${row.email}`,
    }));
    const { migration, files } = prepare([...bcrypt, ...late]);
    const { summary, findings } = await validate(migration, files);
    // Only what comes before the column is known to be cut may slip through: very few.
    expect(summary.ready.import).toBeLessThan(20_100 + 3);
    expect(codes(findings)).toContain("column_damaged");
  });

  it("brings nobody in when it is imported again", async () => {
    const { migration, files } = prepare(readers(60, cut));
    await migration.run(files);
    const { summary } = await migration.run(files);
    expect(outcomes(summary)).toEqual({ rejected: 60 });
  });
});

describe("an import", () => {
  const { passwordHash } = KNOWN_HASHES.bcrypt;

  it("tells its findings before the first call", async () => {
    const { migration, files } = prepare(readers(12, () => passwordHash));
    const order: string[] = [];
    const core: Core = {
      ...migration.core,
      importUser(request) {
        order.push("import");
        return migration.core.importUser(request);
      },
    };
    await migration.run(files, {
      core,
      onEvent: (event) => void (event.type === "finding" && order.push(event.code)),
    });
    expect(order.slice(0, 3)).toEqual(["hash_shared", "prehash_possible", "import"]);
    expect(order).toHaveLength(2 + 12);
  });

  it("reads its files twice and counts them once", async () => {
    const { migration, files } = prepare(readers(30, bcryptOf));
    const { summary } = await migration.run(files);
    expect(summary).toMatchObject({ read: 30, imported: 30, notices: { prehash_possible: 30 } });
    expect(summary.rejects).toEqual({});
  });

  it("stopped during its census sends nobody and tells nothing", async () => {
    const { migration, files } = prepare(readers(30, bcryptOf), readers(30, bcryptOf));
    const stop = new AbortController();
    const { inputs } = await migration.options(files);
    const { summary, findings } = await migration.run([], {
      inputs: inputs.map((input) => ({ ...input, ...stopping(input, stop) })),
      signal: stop.signal,
    });
    expect(summary).toMatchObject({ interrupted: true, read: 0, calls: { import: 0 } });
    expect(findings).toEqual([]);
  });

  it("tells the progress of its census and then its own, which begins anew", async () => {
    const { migration, files } = prepare(readers(2000, bcryptOf));
    const progress: ProgressEvent[] = [];
    let now = 0;
    await migration.run(files, {
      timing: { now: () => (now += 300), random: () => 0, sleep: async () => {} },
      onEvent: (event) => void (event.type === "progress" && progress.push(event)),
    });
    const phases = progress.map(({ phase }) => phase);
    expect(phases).toEqual([...phases].sort());
    expect(new Set(phases)).toEqual(new Set(["census", "run"]));
    const inspection = progress.filter(({ phase }) => phase === "census");
    expect(inspection.at(-1)).toMatchObject({ done: 0, inFlight: 0, read: expect.any(Number) });
    expect(inspection.at(-1)?.read).toBeGreaterThan(500);
    for (const { bytes, totalBytes, read } of progress) {
      expect(bytes).toBeLessThanOrEqual(totalBytes ?? 0);
      expect(read).toBeLessThanOrEqual(2000);
    }
    const times = progress.map(({ elapsedMs }) => elapsedMs);
    for (const [index, time] of times.entries()) {
      expect(time - (times[index - 1] ?? -1000)).toBeGreaterThanOrEqual(1000);
    }
  });
});

describe("what is asked before the bulk", () => {
  it("gets the census, and answers whether the import is proved", async () => {
    const { migration, files } = prepare(readers(5, bcryptOf));
    let seen: Inspection | null = null;
    const { summary } = await migration.run(files, {
      async beforeBulk(inspection) {
        seen = inspection;
        expect(await migration.users()).toEqual([]);
        return { fitted: [{ algorithm: "md5_crypt", row: { file: files[0] ?? "", number: 1 } }] };
      },
    });
    expect(summary.proved).toBe(true);
    expect(seen).toMatchObject({
      algorithms: { bcrypt: 5 },
      findings: [{ code: "prehash_possible" }],
    });
  });

  it("may vouch for plain hashes: neither finding nor notice is left", async () => {
    const { migration, files } = prepare(readers(5, bcryptOf));
    const beforeBulk: BeforeBulk = async () => ({
      fitted: [{ algorithm: "bcrypt", row: { file: files[0] ?? "", number: 1 } }],
    });
    const { summary, findings } = await migration.run(files, { beforeBulk });
    expect(findings).toEqual([]);
    expect(summary.imported).toBe(5);
    expect(summary.notices).toEqual({});
  });

  it("may stop the run: nobody is sent, and what was found is told", async () => {
    const { migration, files } = prepare(readers(5, () => bcryptOf("seed")));
    const told: MigrationEvent[] = [];
    const beforeBulk = async () => {
      throw new RunError("signer_key_missing", "No key.", { hint: "Give it." });
    };
    const run = migration.run(files, { beforeBulk, onEvent: (event) => void told.push(event) });
    await expect(run).rejects.toMatchObject({ code: "signer_key_missing" });
    expect(await migration.users()).toEqual([]);
    expect(told).toMatchObject([
      { type: "columns", rows: 5 },
      { type: "finding", code: "hash_shared" },
    ]);
  });

  it("isn't asked in a run that was stopped before", async () => {
    const { migration, files } = prepare(readers(5, bcryptOf));
    let asked = false;
    const beforeBulk = async () => {
      asked = true;
      return { fitted: [] };
    };
    await migration.run(files, { beforeBulk, signal: AbortSignal.abort() });
    expect(asked).toBe(false);
  });
});

describe("an input that can be read but once", () => {
  /** The same inputs, each of which refuses to be opened a second time. */
  async function onceOnly(files: readonly string[]): Promise<Input[]> {
    return (await openInputs(files)).map((input) => {
      let opened = false;
      return {
        ...input,
        readOnce: true,
        read(run) {
          if (opened) throw new Error(`${input.path} was opened twice`);
          opened = true;
          return input.read(run);
        },
      };
    });
  }

  it("is inspected before its first user is sent, as every other one", async () => {
    const { migration, files } = prepare(readers(9, () => bcryptOf("seed")));
    const events: string[] = [];
    let inspection: Inspection | null | undefined;
    const { summary } = await migration.run([], {
      inputs: await onceOnly(files),
      onEvent: (event) => void events.push(event.type),
      beforeBulk: async (given) => {
        inspection = given;
        return { fitted: [] };
      },
    });
    expect(inspection).toMatchObject({ rows: 9 });
    expect(summary).toMatchObject({ imported: 9, algorithms: { bcrypt: 9 } });
    expect(events).toEqual(["columns", "finding", "finding"]);
    const dry = await validate(migration, [], await onceOnly(files));
    expect(codes(dry.findings)).toEqual(["hash_shared", "prehash_possible"]);
  });

  it("still refuses what is cut off, once that is known", async () => {
    const { migration, files } = prepare(readers(200, (number) => argon2Of(number).slice(0, 76)));
    const { summary } = await migration.run([], { inputs: await onceOnly(files) });
    expect(summary.imported).toBeLessThan(3);
  });
});

describe("a dry run", () => {
  it("that is stopped tells no findings: they would be of half a file", async () => {
    const { migration, files } = prepare(
      readers(5, () => bcryptOf("seed")),
      readers(5, bcryptOf),
    );
    const stop = new AbortController();
    const told: MigrationEvent[] = [];
    const { inputs } = await migration.options(files);
    const options = await migration.options([], {
      inputs: inputs.map((input) => ({ ...stopping(input, stop), readOnce: true })),
      signal: stop.signal,
      onEvent: (event) => void told.push(event),
    });
    expect(await validateUsers(options)).toMatchObject({ interrupted: true });
    expect(told).toEqual([]);
  });

  it("reads a large file once", async () => {
    const { migration } = prepare();
    const records = Array.from({ length: 30_000 }, (_, index) =>
      record({ sourceId: `r-${index}`, hash: { kind: "text", text: bcryptOf("seed") } }),
    );
    const input = inputOf("users.csv", records, [500]);
    const handedOut: number[] = [];
    const read: Input["read"] = async function* (run) {
      const pass = handedOut.push(0) - 1;
      for await (const items of input.read(run)) {
        handedOut[pass] = (handedOut[pass] ?? 0) + items.length;
        yield items;
      }
    };
    const inputs = [{ ...input, read }];
    await validateUsers(await migration.options([], { inputs }));
    expect(handedOut).toEqual([30_000]);
  });
});
