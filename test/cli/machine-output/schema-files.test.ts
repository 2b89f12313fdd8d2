import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { LINES } from "../../../src/events/lines/lines.js";
import type {
  FindingEvent,
  PauseEvent,
  ProgressEvent,
  QueueEvent,
  RowEvent,
} from "../../../src/events/events.js";
import type { ImportSummary, ValidateSummary } from "../../../src/events/summary.js";
import type { CheckpointStatus } from "../../../src/checkpoint/status.js";
import type { Proof } from "../../../src/prove/proof.js";
import type { DifferenceEvent } from "../../../src/reconcile/compare-all.js";
import type { Reconciliation } from "../../../src/reconcile/reconcile-users.js";
import type { HashVerdict } from "../../../src/hash/hash.js";
import { schemaFiles } from "./schema-files.js";
import { compile, FOLDER, isObject, readSchemas } from "./schemas.js";

const SCHEMAS = readSchemas();

describe("the schema files", () => {
  it("are what the code says (else: npm run docs:schemas)", async () => {
    const files = schemaFiles();
    for (const [name, schema] of Object.entries(files)) {
      const text = `${JSON.stringify(schema, null, 2)}\n`;
      await expect(text).toMatchFileSnapshot(`${FOLDER}${name}`);
    }
  });

  it("are one for each line, and one for any", () => {
    expect(Object.keys(SCHEMAS).sort()).toEqual(Object.keys(schemaFiles()).sort());
  });

  it("are valid, each by itself", () => {
    for (const schema of Object.values(SCHEMAS)) expect(() => compile(schema)).not.toThrow();
  });

  it("forbid nobody to add a field, and say what each line is", () => {
    expect(JSON.stringify(SCHEMAS)).not.toContain('additionalProperties":false');
    const silent = Object.entries(SCHEMAS).filter(
      ([, { description }]) => description === undefined,
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it("require what is always there", () => {
    const required = Object.fromEntries(
      Object.entries(SCHEMAS).flatMap(([name, { required, properties }]) => {
        if (!isObject(properties) || !Array.isArray(required)) return [];
        return [[name, Object.keys(properties).filter((field) => !required.includes(field))]];
      }),
    );
    const optional = Object.entries(required).filter(([, fields]) => fields.length > 0);
    expect(Object.fromEntries(optional)).toEqual({
      "difference.json": ["fields"],
      "finding.json": ["sourceIds", "foreseen"],
      "proof.json": ["fitsBridge"],
      "reject.json": ["bridge"],
    });
  });

  it("let one schema alone take a line", () => {
    const any = compile(SCHEMAS["line.json"] ?? {});
    expect(any({ type: "listening", v: 1, url: "http://127.0.0.1:3567" })).toBe(true);
    expect(any({ type: "listening", v: 1, url: "http://127.0.0.1:3567", more: true })).toBe(true);
    expect(any({ type: "listening", v: 2, url: "http://127.0.0.1:3567" })).toBe(false);
    expect(any({ type: "listening", v: 1 })).toBe(false);
    expect(any({ type: "hash", v: 1, line: 1, verdict: "none" })).toBe(true);
    expect(any({ type: "hash", v: 1, line: 1, verdict: "refused", code: "empty" })).toBe(false);
    expect(any({ type: "unheard_of", v: 1 })).toBe(false);
  });
});

/** The fields of a line but for those that printing adds. */
type Fields<Name extends keyof typeof LINES, Added extends string = never> = Exclude<
  keyof z.infer<(typeof LINES)[Name]>,
  "v" | Added
>;

// Checked by the compiler: `npm run typecheck`.
it("the lines have the fields of the library's types, no more and no fewer", () => {
  expectTypeOf<Fields<"reject">>().toEqualTypeOf<keyof RowEvent>();
  type Other = Exclude<keyof RowEvent, "bridge">;
  expectTypeOf<Fields<"skip">>().toEqualTypeOf<Other>();
  expectTypeOf<Fields<"failure">>().toEqualTypeOf<Other>();
  expectTypeOf<Fields<"finding">>().toEqualTypeOf<keyof FindingEvent>();
  expectTypeOf<Fields<"progress">>().toEqualTypeOf<keyof ProgressEvent>();
  expectTypeOf<Fields<"queue">>().toEqualTypeOf<keyof QueueEvent>();
  expectTypeOf<Fields<"pause">>().toEqualTypeOf<keyof PauseEvent>();
  expectTypeOf<Fields<"difference">>().toEqualTypeOf<keyof DifferenceEvent>();
  type Ended = "type" | "exitCode";
  expectTypeOf<Fields<"import-summary", Ended | "next">>().toEqualTypeOf<keyof ImportSummary>();
  expectTypeOf<Fields<"validate-summary", Ended | "next">>().toEqualTypeOf<keyof ValidateSummary>();
  expectTypeOf<Fields<"reconcile-summary", Ended | "vault">>().toEqualTypeOf<
    keyof Reconciliation
  >();
  expectTypeOf<Fields<"status", Ended | "parts">>().toEqualTypeOf<keyof CheckpointStatus>();
  type Told = Exclude<
    Proof extends infer One ? (One extends Proof ? keyof One : never) : never,
    "ok"
  >;
  expectTypeOf<Fields<"proof", "type" | "verdict">>().toEqualTypeOf<Told>();
  type Accepted = Extract<HashVerdict, { verdict: "accepted" }>;
  type Refused = Extract<HashVerdict, { verdict: "refused" }>;
  expectTypeOf<Fields<"hash-accepted", "type" | "line">>().toEqualTypeOf<keyof Accepted>();
  expectTypeOf<Fields<"hash-refused", "type" | "line">>().toEqualTypeOf<keyof Refused>();
});
