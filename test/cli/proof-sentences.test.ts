import { expect, it } from "vitest";
import { oldHash } from "../bridge/support/migration.js";
import { bcryptOf, csvUsers } from "../run/support/test-users.js";
import { runCli, serveHere } from "../support/cli.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const GOT = "against what the core gets";
const KEPT = "against what the vault keeps";

/** Users 1 and 2 have hashes that the core takes, 3 to 5 one kind for the bridge, 6 another. */
const HASHES = [
  ...["p1", "p2"].map(bcryptOf),
  ...["p3", "p4", "p5"].map(oldHash),
  "5f4dcc3b5aa765d61d8327deb882cf99",
];

async function exported(tested: readonly number[], users = [1, 2, 3, 4, 5, 6]) {
  const cwd = newFolder();
  const rows = users.map((n) => {
    return { id: `u-${n}`, email: `u.${n}@example.com`, hash: HASHES[n - 1] ?? "" };
  });
  writeInto(cwd, "users.csv", csvUsers(rows));
  writeInto(cwd, "tests.csv", tested.map((n) => `u-${n},p${n}\n`).join(""));
  await runCli(["bridge", "--new-key", "vault.key"], { cwd });
  const bridge = ["users.csv", "--on-unusable-hash", "bridge"];
  const vault = (name = "users.vault") => ["--vault", name, "--vault-key-file", "vault.key"];
  const proof = ["--prove", "tests.csv"];
  const imports = (name?: string) => ["import", ...bridge, ...vault(name), ...proof, "--yes"];
  return { cwd, bridge, imports };
}

const unwrapped = (text: string): string => text.replaceAll(/\s+/g, " ");

it.each([
  ["a user whose hash the core takes", [1], `1 known password verifies ${GOT}`],
  ["several", [1, 2], `2 known passwords verify ${GOT}`],
  ["one who is named twice", [1, 1], `1 known password verifies ${GOT}`],
  ["one whose hash the vault keeps", [3], `1 known password verifies ${KEPT}`],
  ["several", [3, 4, 5], `3 known passwords verify ${KEPT}`],
  ["both", [1, 3, 4], `1 known password verifies ${GOT}. 2 known passwords verify ${KEPT}`],
])(
  "a proof is told in one sentence, with its number, everywhere: %s",
  async (_who, tested, says) => {
    const { cwd, bridge, imports } = await exported(tested);
    const told = `Proved: ${says}.`;
    const kinds = tested.map((n) => (n < 3 ? "bcrypt" : "scheme_ssha"));
    const all = { bcrypt: 2, scheme_ssha: 3, raw_digest: 1 };
    const untried = Object.entries(all).filter(([kind]) => !kinds.some((one) => one === kind));
    const open = `Not tried, since no test user has such a hash: ${untried.map((one) => one.join(" ")).join(", ")}.`;
    const prove = ["prove", ...bridge, "--passwords", "tests.csv"];
    const proof = await runCli(prove, { cwd });
    expect(proof.stdout).toContain(`\n${told}\n${open}\n`);
    const json = await runCli([...prove, "--json"], { cwd });
    expect(summaryOf(json.stdout)).toMatchObject({ untried: Object.fromEntries(untried) });
    const lines = jsonLines(json.stdout).filter(({ type }) => type === "proof");
    expect(lines).toMatchObject(
      kinds.map((algorithm) => ({ algorithm, bridged: algorithm !== "bcrypt" })),
    );
    const first = await runCli(imports(), { cwd });
    expect(first.stderr).toContain(`\n${told}\n${open}\n`);
    const status = await runCli(["status"], { cwd });
    for (const { stdout } of [first, status, await runCli(["report"], { cwd })]) {
      expect(unwrapped(stdout).split("Proved: ")).toHaveLength(2);
      expect(unwrapped(stdout)).toContain(`${told} ${open}`);
    }
    const users = [...new Set(tested)];
    const sent = users.filter((n) => n < 3).length;
    const left = Object.fromEntries(untried);
    const provedUsers = { sent, bridged: users.length - sent, untried: left };
    const again = summaryOf((await runCli([...imports(), "--json"], { cwd })).stdout);
    expect(again).toMatchObject({ proved: true, provedUsers, standing: { provedUsers } });
    expect(again).toMatchObject({ untried: Object.fromEntries(untried) });
  },
);

it("a later proof of fewer users, and of another kind, takes nothing from what status says", async () => {
  const { cwd, imports } = await exported([1, 2]);
  const said = async (tests: string) => {
    writeInto(cwd, "tests.csv", tests);
    await runCli(imports(), { cwd });
    return unwrapped((await runCli(["status"], { cwd })).stdout);
  };
  const both = `Proved: 2 known passwords verify ${GOT}. Not tried, since no test user has such a hash:`;
  expect(await said("u-1,p1\nu-2,p2\n")).toContain(both);
  expect(await said("u-1,p1\n")).toContain(both);
  expect(await said("u-3,p3\n")).toContain(
    `Proved: 2 known passwords verify ${GOT}. 1 known password verifies ${KEPT}. Not tried, since no test user has such a hash: raw_digest 1.`,
  );
});

it("of users who were there already it says nothing, but that their passwords are in no vault of it", async () => {
  const { cwd, imports } = await exported([1, 3]);
  expect((await runCli(imports(), { cwd })).stdout).not.toContain("at the core already");
  const late = [...imports("late.vault"), "--on-existing", "skip", "--checkpoint", "late"];
  const lost = "the old passwords of users who were at the core already: 4.";
  for (const _run of ["the first", "one more"]) {
    const { stdout } = await runCli(late, { cwd });
    expect(stdout).not.toContain("Proved");
    expect(unwrapped(stdout).split(lost)).toHaveLength(2);
  }
  const { stdout } = await runCli(["status", "--checkpoint", "late"], { cwd });
  expect(stdout).not.toContain("Proved");
  expect(unwrapped(stdout)).toContain(lost);
  const status = JSON.parse(
    (await runCli(["status", "--checkpoint", "late", "--json"], { cwd })).stdout,
  );
  const nobody = { proved: false, provedUsers: { sent: 0, bridged: 0 }, unvaulted: 4 };
  expect(status).toMatchObject(nobody);
  expect(summaryOf((await runCli([...late, "--json"], { cwd })).stdout)).toMatchObject({
    proved: false,
    standing: nobody,
  });
});

it.each([
  [
    "nobody first where the core takes no test user's hash",
    [3],
    null,
    `1 known password verifies ${KEPT}`,
  ],
  [
    "those whose hash the core takes",
    [1, 2, 3],
    2,
    `2 known passwords verify ${GOT}. 1 known password verifies ${KEPT}`,
  ],
])("an import at a remote core begins with %s", async (_whom, tested, first, how) => {
  const { cwd, imports } = await exported(tested);
  const core = await serveHere({ cwd, args: ["--data", "at.db"] });
  const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
  const { stdout, stderr } = await runCli([...imports(), "--core", core.url], { cwd, env });
  const begins = ` The import begins with ${first} users whose hash the core takes. They join today and`;
  const [line = ""] = stderr.split("\n").filter((one) => one.startsWith("Proved here: "));
  expect(line).toContain(`${how}.${first === null ? "" : begins}`);
  expect(line.includes("begins")).toBe(first !== null);
  if (first !== null) {
    expect(unwrapped(stdout)).toContain(
      `Proved at the core: 2 of 2 test users signed in. Proved: 1 known password verifies ${KEPT}. Not tried, since no test user has such a hash: raw_digest 1.`,
    );
  }
  await core.stop();
});
