import { expect, it } from "vitest";
import { CoreFailure } from "../../../../src/core/core-failure.js";
import {
  asCoreFailure,
  asOpenError,
  isOnesFault,
} from "../../../../src/core/embedded/postgres/database-failure.js";
import { RunError } from "../../../../src/errors/run-error.js";

/** As the driver throws what the server says; its text and details may hold what was sent. */
function said(code: string, severity = "ERROR"): Error {
  const detail = "Key (email)=(ana.canary@example.com) already exists.";
  return Object.assign(new Error(`canary ${code}`), { code, severity, detail });
}

const lost = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

it.each([
  ["a connection that is refused", lost("ECONNREFUSED"), "no", "busy", "no"],
  [
    "a connection that breaks under a write",
    lost("ECONNRESET"),
    "unknown",
    "unreachable",
    "unknown",
  ],
  [
    "a server that stops under a write",
    said("57P01", "FATAL"),
    "unknown",
    "unreachable",
    "unknown",
  ],
  ["a server that is starting", said("57P03", "FATAL"), "no", "busy", "no"],
  ["no connection left", said("53300", "FATAL"), "no", "busy", "no"],
  ["a statement that took too long", said("57014"), "unknown", "busy", "no"],
  ["a deadlock", said("40P01"), "unknown", "busy", "no"],
  ["a standby", said("25006"), "unknown", "busy", "no"],
  ["a full disk", said("53100"), "unknown", "disk", "no"],
  ["a character that can't be kept", said("22021"), "unknown", "refused", "yes"],
  ["a table that is gone", said("42P01"), "unknown", "broken", "no"],
] as const)("%s is told as what a caller has to do", (_what, error, under, kind, reached) => {
  const failure = asCoreFailure(error, under);
  expect(failure).toBeInstanceOf(CoreFailure);
  expect(failure).toMatchObject({ kind, reached });
  expect(String(failure)).not.toContain("canary");
  expect(failure).toHaveProperty("retryAfterMs", kind === "busy" ? 1000 : undefined);
});

it("a bug of ours stays one", () => {
  const bug = new TypeError("x is not a function");
  expect(asCoreFailure(bug, "unknown")).toBe(bug);
  expect(asOpenError(bug, "postgres://host:5432/auth")).toBe(bug);
});

it.each([
  [lost("ENOTFOUND"), "core_unreachable"],
  [lost("SELF_SIGNED_CERT_IN_CHAIN"), "core_unreachable"],
  [said("28P01", "FATAL"), "key_refused"],
  [said("42501"), "key_refused"],
  [said("3D000", "FATAL"), "data_unusable"],
  [said("25006"), "disk"],
  [said("53100"), "disk"],
  [said("53300", "FATAL"), "outage"],
  [said("57P03", "FATAL"), "outage"],
  [said("42P07"), "data_unusable"],
] as const)("opening fails by a code: %s", (error, code) => {
  const opened = asOpenError(error, "postgres://host:5432/auth");
  expect(opened).toBeInstanceOf(RunError);
  expect(opened).toMatchObject({ code });
  expect(String(opened)).toContain("postgres://host:5432/auth");
  expect(String(opened)).not.toContain("canary");
});

it("what was refused already isn't read for a second time", () => {
  const refused = new RunError("data_unusable", "too new", { hint: "Update." });
  expect(asOpenError(refused, "postgres://host:5432/auth")).toBe(refused);
});

it("a taken value is one item's fault", () => {
  const failure = asCoreFailure(said("23505"), "unknown");
  expect(isOnesFault(failure)).toBe(true);
  const away = asCoreFailure(lost("ECONNRESET"), "unknown");
  expect(isOnesFault(away)).toBe(false);
});
