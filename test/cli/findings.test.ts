import { describe, expect, it } from "vitest";
import { argon2Of, bcryptOf } from "../run/support/hashes.js";
import { startCli, serveHere } from "../support/cli.js";
import { isFirstCall, startGate } from "./gate.js";
import { HASH_CONFIG, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();

/** Believable people with a default password, and others whose argon2 hashes were cut off. */
function badExport(): string {
  const seeded = bcryptOf("a default password");
  const lines = Array.from({ length: 40 }, (_, index) => {
    const hash = index < 8 ? seeded : argon2Of(index).slice(0, 76);
    return `m-${index + 1},member.${index + 1}@example.com,"${hash}"`;
  });
  return `${["id,email,password_hash", ...lines].join("\n")}\n`;
}

/** What must stand nowhere in a finding: parts of the hashes, and the contacts. */
const CANARIES = [
  "member.",
  "@example.com",
  bcryptOf("a default password").slice(7, 27),
  "$argon2",
];

describe.concurrent("import", () => {
  it("tells its findings before the first call, on stderr for people", async () => {
    const remote = await serveHere({ cwd: workFolder(), args: ["--hash-config", HASH_CONFIG] });
    // The probe passes, as all that is asked of the core; the first call that carries a user is held.
    const gate = await startGate(remote, 1, isFirstCall);
    const cwd = workFolder();
    const env = { AUTH_MIGRATE_API_KEY: remote.apiKey };
    writeInto(cwd, "members.csv", badExport());
    const args = ["import", "members.csv", "--core", gate.url, "--assume-empty"];
    const run = startCli(args, { cwd, env });
    await run.says("Found hash_shared");
    await gate.holding;
    expect(gate.calls.filter(({ body }) => body.includes("@example.com"))).toEqual([]);
    gate.open();
    const { stderr, stdout } = await run.ended;
    expect(stderr).toMatch(/^Found column_damaged {3}32 {3}members\.csv, lines /m);
    expect(stderr).toMatch(/^Found hash_shared {3}8 /m);
    expect(stderr).toMatch(/^ {6}One hash /m);
    expect(stdout).toMatch(/\nFindings\n {2}column_damaged .*\n {2}hash_shared /);
    for (const canary of CANARIES) expect(stdout + stderr).not.toContain(canary);
    await gate.close();
    await remote.stop();
  });
});
