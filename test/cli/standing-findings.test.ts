import { expect, it, onTestFinished } from "vitest";
import type { Finding } from "../../src/events/events.js";
import { STANDING } from "../../src/events/findings.js";
import { bcryptOf, csvUsers } from "../run/support/test-users.js";
import { runCli, serveHere } from "../support/cli.js";
import { jsonLines, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const UNVERIFIED = "unverified_email_with_password";

it("what stands of users of all runs is told until it is proved or mended, and before a cut-over", async () => {
  const cwd = newFolder();
  const core = await serveHere({ cwd: newFolder() });
  onTestFinished(async () => void (await core.stop()));
  const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
  const at = ["--core", core.url, "--yes"];
  const run = (...args: readonly string[]) => runCli(args, { cwd, env });
  const found = async (): Promise<unknown[]> => {
    const { findings } = JSON.parse((await run("report", "--json")).stdout);
    const standing = findings.filter(({ code }: Finding) =>
      [...STANDING].some((one) => one === code),
    );
    return standing.map(({ code, count, rows }: Finding) => {
      // In one unit, whichever run has told it.
      const places = rows.map(({ file, number, line }) => {
        return `${file} ${line === number + 1 ? number : "without its line"}`;
      });
      return [code, count, ...places];
    });
  };
  const told = async (...args: readonly string[]): Promise<string> =>
    (await run(...args)).stdout.replaceAll(/\s+/g, " ");
  const users = (name: string) =>
    [1, 2].map((n) => {
      return { id: `${name}-${n}`, email: `${name}.${n}@example.com`, hash: bcryptOf(`Tuba ${n}`) };
    });
  writeInto(cwd, "readers.csv", csvUsers(users("reader")));
  const shop = (verified: boolean): string =>
    `no,mail,email_verified,pw_hash\n7,ann@example.com,${verified},${bcryptOf("Tuba 1")}\n`;
  writeInto(cwd, "shop.csv", shop(false));
  const prove = (file: string, user: string) => {
    writeInto(cwd, "passwords.csv", `user,password\n${user},Tuba 1\n`);
    return run("prove", file, "--passwords", "passwords.csv", ...at);
  };

  await run("import", "readers.csv", ...at);
  await run("import", "shop.csv", ...at, "--include", "unverified");
  const rows = ["readers.csv 1", "readers.csv 2", "shop.csv 1"];
  const open = /No proof covers the bcrypt or argon2 hashes of 3 users, who can sign in only/;
  expect(await found()).toEqual([
    [UNVERIFIED, 1, "shop.csv 1"],
    ["prehash_possible", 3, ...rows],
  ]);
  expect(await told("status")).toMatch(open);
  const check = ["reconcile", "--core", core.url];
  const proposal = "Before people sign in at this core:";
  expect(await told(...check)).toMatch(new RegExp(`${open.source}.* ${proposal}`));

  // A file without that user leaves what is told of them; their row says it no more once it is mended.
  await run("import", "readers.csv", ...at);
  expect(await found()).toContainEqual([UNVERIFIED, 1, "shop.csv 1"]);
  await run("import", "shop.csv", ...at);
  writeInto(cwd, "shop.csv", shop(true));
  await run("import", "shop.csv", ...at);
  expect(await found()).toEqual([["prehash_possible", 3, ...rows]]);

  expect(await told("cutover")).toMatch(open);
  await prove("readers.csv", "reader-1");
  expect(await found()).toEqual([["prehash_possible", 1, "shop.csv 1"]]);
  await prove("shop.csv", "ann@example.com");
  expect(await found()).toEqual([]);
  expect(await told("status")).not.toContain("No proof covers");
});

it("what a proof has settled of one file stays so where it is read beside a file of which none was", async () => {
  const cwd = newFolder();
  const hash = bcryptOf("Tuba 1");
  const users = [1, 2].map((n) => ({ id: `r-${n}`, email: `r.${n}@example.com`, hash }));
  writeInto(cwd, "readers.csv", csvUsers(users));
  writeInto(cwd, "shop.csv", `no,mail,email_verified,pw_hash\n7,ann@example.com,true,${hash}\n`);
  writeInto(cwd, "passwords.csv", "user,password\nr-1,Tuba 1\n");
  const prove = ["--prove", "passwords.csv"];
  const both = ["import", "readers.csv", "shop.csv"];
  for (const words of [[...both, ...prove], both, ["import", "readers.csv"], both]) {
    const { stdout, stderr } = await runCli([...words, "--json"], { cwd });
    const [told] = jsonLines(stdout).filter(({ code }) => code === "prehash_possible");
    const rows = [expect.objectContaining({ file: "shop.csv" })];
    if (words.length > 2) expect(told, stderr).toMatchObject({ count: 1, rows });
    else expect(told).toBeUndefined();
    const { notices } = JSON.parse((await runCli(["status", "--json"], { cwd })).stdout);
    expect(notices.prehash_possible).toBe(1);
  }
});

it("what stands names as its rows those of users whom it counts, and of nobody who was there before", async () => {
  const cwd = newFolder();
  const users = [1, 2].map((n) => {
    return { id: `r-${n}`, email: `r.${n}@example.com`, hash: bcryptOf(`Tuba ${n}`) };
  });
  writeInto(cwd, "readers.csv", csvUsers(users));
  writeInto(cwd, "first.csv", csvUsers(users.slice(0, 1)));
  await runCli(["import", "first.csv", "--checkpoint", "first"], { cwd });
  await runCli(["import", "readers.csv", "--on-existing", "skip"], { cwd });
  const { findings } = JSON.parse((await runCli(["report", "--json"], { cwd })).stdout);
  expect(findings.find(({ code }: Finding) => code === "prehash_possible")).toMatchObject({
    count: 1,
    rows: [{ file: "readers.csv", number: 2 }],
  });
});
