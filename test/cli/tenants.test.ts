import { describe, expect, it } from "vitest";
import { runCli, serveHere } from "../support/cli.js";
import { startTenantCore } from "../support/tenant-core.js";
import { expectFailure, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const KEY = "tenants-of-a-core-0001";
const ENV = { AUTH_MIGRATE_API_KEY: KEY };
const HASH = "$2a$04$kWru01o9W3Sr.n9VuWmdDOnIQl02fRZH3HO/jfbbNyBTWKLzQ6BtW";
const ROWS = `email,phone,password_hash
ann@example.com,,${HASH}
ben@example.com,+15550100002,
`;

/** A folder with an export of a user with a password and one with two contacts. */
function exported(): { readonly cwd: string; readonly env: typeof ENV } {
  const cwd = workFolder();
  writeInto(cwd, "users.csv", ROWS);
  return { cwd, env: ENV };
}

describe("a core with tenants", () => {
  it("gets users into the tenant that its URL ends in, and asks their app for the rest", async () => {
    const core = await startTenantCore(KEY);
    const args = ["users.csv", "--core", `${core.url}/appid-shop/t1`, "--json"];
    const imported = await runCli(["import", ...args, "--yes"], exported());
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    expect(summaryOf(imported.stdout)).toMatchObject({
      ...{ imported: 1, created: 1 },
      core: { kind: "remote", url: `${core.url}/appid-shop/t1` },
    });
    const scopes = (line: RegExp): string[] => [
      ...new Set(core.asked.filter((one) => line.test(one)).map((one) => one.split(" ")[0] ?? "")),
    ];
    expect(scopes(/POST \/recipe\/(?:user\/passwordhash|signinup)|by-accountinfo/)).toEqual([
      "shop/t1",
    ]);
    expect(scopes(/apiversion|PUT \/recipe\/user/)).toEqual(["shop/public"]);
    expect(core.users).toHaveLength(2);
  });

  it("is another one for the checkpoint under another tenant, moved or not", async () => {
    const core = await startTenantCore(KEY);
    const options = exported();
    const importInto = (scope: string, ...words: string[]): string[] => [
      ...["import", "users.csv", "--core", core.url + scope, "--yes", ...words],
    ];
    expect(await runCli(importInto("/appid-public/t1"), options)).toMatchObject({ code: 0 });
    const asked = core.asked.length;
    const refused = {
      code: "checkpoint_other_core",
      says: /belongs to http:\S+\/appid-public\/t1, but this run is for http:\S+\.$/,
    };
    for (const [scope = "", ...words] of [[""], ["/appid-shop/t1"], ["", "--target-moved"]]) {
      const next = /checkpoint of its own with --checkpoint FILE, .* --vault FILE\.$/;
      await expectFailure(importInto(scope, ...words), options, { ...refused, next });
    }
    const sent = core.asked.slice(asked).filter((line) => /passwordhash|consume|PUT/.test(line));
    expect(sent).toEqual([]);
    // The same tenant in other letters: its users are there.
    const again = importInto("/AppId-Public/T1/", "--json");
    const { code, stdout } = await runCli(again, options);
    expect({ code, unchanged: summaryOf(stdout).unchanged }).toEqual({ code: 0, unchanged: 2 });
    const check = ["reconcile", "--core", `${core.url}/appid-public/t1`, "--json"];
    expect(await runCli([...check, "--sample", "all"], options)).toMatchObject({ code: 0 });
    await expectFailure(["reconcile", "--core", core.url], options, { ...refused, next: /./ });
  });

  it("says so where it has no such tenant, and where the URL ends in one", async () => {
    const core = await startTenantCore(KEY);
    const next = /the app and the tenant as the core lists them, as in \S+\/appid-public\/t1/;
    const failure = { code: "core_incompatible", next };
    const importInto = ["import", "users.csv", "--yes", "--core"];
    await expectFailure([...importInto, `${core.url}/appid-public/ghost`], exported(), {
      ...failure,
      says: /AppId or tenantId not found/,
    });
    for (const words of [[], ["--dialect", "supertokens", "--keep-ids"]]) {
      await expectFailure([...importInto, `${core.url}/t1`, ...words], exported(), {
        ...failure,
        says: /Only public tenantId can call this app specific API\.$/,
      });
    }
    expect(core.users).toEqual([]);
  });

  it("says so where it is the embedded core on the wire, which has one tenant", async () => {
    const core = await serveHere({ cwd: workFolder(), apiKey: KEY });
    const url = `${core.url}/appid-public/t1`;
    await expectFailure(["import", "users.csv", "--core", url], exported(), {
      code: "core_incompatible",
      says: /only the app and the tenant named public/,
      next: /without them it is the public app and tenant/,
    });
    await core.stop();
  });
});
