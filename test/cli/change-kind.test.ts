import { describe, expect, it } from "vitest";
import { bcryptOf } from "../run/support/hashes.js";
import { startSuperTokensStub } from "../support/supertokens-stub.js";
import { runCli } from "../support/cli.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const API_KEY = "change-kind-suite-key-0001";

/** What the vendor's export says, first without the column of the hashes and then with it. */
function folderWithMembers(): string {
  const cwd = workFolder();
  const members = [
    ["m-1", "greta@example.com", bcryptOf("Tuba")],
    ["m-2", "hugo@example.com", ""],
  ] as const;
  const first = members.map(([id, email]) => `${id},${email}`);
  writeInto(cwd, "first.csv", `id,email\n${first.join("\n")}\n`);
  const whole = members.map((fields) => fields.join(","));
  writeInto(cwd, "whole.csv", `id,email,password_hash\n${whole.join("\n")}\n`);
  return cwd;
}

const WHOLE = ["import", "whole.csv", "--json", "--allow-hash", "as-typed"];

describe.concurrent("users whose passwords a first run didn't bring", () => {
  it("are told of --change-kind, which then brings them", async () => {
    const cwd = folderWithMembers();
    await runCli(["import", "first.csv", "--json"], { cwd });
    const refused = await runCli(WHOLE, { cwd });
    expect(refused.code).toBe(65);
    expect(jsonLines(refused.stdout).find(({ type }) => type === "reject")).toMatchObject({
      row: { file: "whole.csv", number: 1 },
      code: "plan_kind_changed",
      hint: expect.stringContaining("--change-kind"),
    });
    const { code, stdout } = await runCli([...WHOLE, "--change-kind"], { cwd });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({
      ...{ imported: 1, unchanged: 1, rejected: 0 },
      notices: { kind_changed: 1 },
    });
  });

  it("take the operator's word at SuperTokens, which shows no sign-in", async () => {
    const cwd = folderWithMembers();
    const stub = await startSuperTokensStub({ apiKey: API_KEY, signerKey: null });
    const options = { cwd, env: { AUTH_MIGRATE_API_KEY: API_KEY } };
    const target = ["--core", stub.url, "--yes"];
    await runCli(["import", "first.csv", "--json", ...target], options);
    const asked = [...WHOLE, ...target, "--change-kind"];
    const refused = await runCli(asked, options);
    expect(refused.code).toBe(65);
    expect(stub.users.map(({ recipeId }) => recipeId)).toEqual(["passwordless", "passwordless"]);
    const { code } = await runCli([...asked, "--assume-never-signed-in"], options);
    await stub.close();
    expect(code).toBe(0);
    const all = stub.users.map(({ recipeId, email }) => `${recipeId} ${email}`).sort();
    expect(all).toEqual(["emailpassword greta@example.com", "passwordless hugo@example.com"]);
  });
});
