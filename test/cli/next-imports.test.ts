import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadVerbs } from "../../src/cli/program.js";
import { lackedVault } from "../../src/cli/seen-vault.js";
import { oldHash } from "../bridge/support/migration.js";
import { bcryptOf } from "../run/support/test-users.js";
import { runCli, serveHere } from "../support/cli.js";
import { jsonLines, printed, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const BRIDGE = "--on-unusable-hash bridge";

/** Three users with the day on which they joined, of whom the bridge may keep one. */
function dated(cwd: string): void {
  const [one, two] = [bcryptOf("Tr0mbone"), oldHash("Kaz00")];
  const good = [1, 2].map(
    (n) => `g-${n},nora.${n}@example.com,${one},2021-02-0${n}T09:00:00Z,${n}`,
  );
  const columns = "id,email,password_hash,created_at,points";
  writeInto(cwd, "good.csv", [columns, ...good].join("\n"));
  writeInto(
    cwd,
    "old.csv",
    [columns, ...good, `o-1,piet.blom@example.com,${two},2021-03-03T09:00:00Z,3`].join("\n"),
  );
}

/** A folder with exports, a key and a core of one's own. */
async function begun() {
  const cwd = newFolder();
  dated(cwd);
  const core = await serveHere({ cwd: newFolder() });
  const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
  const run = (command: string) =>
    runCli(
      command
        .replace(" URL ", ` ${core.url} `)
        .replace(/^auth-migrate /, "")
        .split(" "),
      {
        ...{ cwd, env },
      },
    );
  await run("bridge --new-key vault.key");
  return { cwd, core, run };
}

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
const importOf = (stdout: string): string =>
  printed(stdout).findLast((one) => / import /.test(one)) ?? "";

describe("the import that a screen names for the bridge", () => {
  it("names no vault of another migration", async () => {
    const { cwd, core, run } = await begun();
    await run(`import old.csv ${BRIDGE} --vault users.vault --vault-key-file vault.key`);
    const first = `import old.csv --core ${core.url} --checkpoint real.checkpoint`;
    for (const verb of ["validate", "import"]) {
      const { code, stdout } = await run(first.replace("import", verb));
      expect([code, importOf(stdout)]).toEqual([
        65,
        expect.stringContaining("--vault real.vault --vault-key-file vault.key"),
      ]);
    }
    const { stdout: screen } = await run(first);
    const kept = await run(`${importOf(screen)} --json`);
    expect(summaryOf(kept.stdout), kept.stderr).toMatchObject({ exitCode: 0, bridged: 1 });
    // Then it is this migration's own, by whatever name.
    const checkpoint = join(cwd, "real.checkpoint");
    const lacked = lackedVault({ onUnusableHash: "bridge", checkpoint });
    expect(lacked.slice(0, 2)).toEqual(["--vault", join(cwd, "real.vault")]);
    await core.stop();
  });
});

/** What each command is given where a bridge was made, so that it prints an import; null for those that print none, or of a part, which takes no vault. */
const PRINTS: Readonly<Record<string, string | null>> = {
  setup: "newer.csv --data auth-core.db --no-input --skip-proof",
  validate: "newer.csv",
  import: "newer.csv",
  prove: "newer.csv --passwords typed.csv",
  status: "",
  report: "",
  reconcile: "",
  cutover: "--checkpoint auth-migrate.checkpoint",
  ...{ undo: null, split: null, doctor: null, bridge: null, serve: null, hash: null },
  ...{ "check-source": null, "checkpoint purge": null },
};

describe("an import that is printed where a bridge was made", () => {
  const KEPT = "--vault users.vault --vault-key-file vault.key";
  const made = async () => {
    const { cwd, core, run } = await begun();
    await core.stop();
    writeInto(cwd, "pepper", "a pepper of the site");
    writeInto(cwd, "typed.csv", "email,password\nnora.1@example.com,Tr0mbone");
    const auth0 = new URL("../../fixtures/sources/auth0/users.ndjson", import.meta.url);
    writeInto(cwd, "users.ndjson", readFileSync(auth0));
    const old = readFileSync(join(cwd, "old.csv"), "utf8");
    writeInto(cwd, "newer.csv", `${old}\nb-1,no address,${bcryptOf("Kaz00")},,1`);
    await run(`import users.ndjson ${BRIDGE} --upstream=auth0 --prehash-salt-file pepper ${KEPT}`);
    return { cwd, run };
  };

  it.each(Object.entries(PRINTS).filter(([, words]) => words !== null))(
    "has all options that the bridge needs: by %s",
    async (verb, words) => {
      const { run } = await made();
      // A person may leave out what no row of theirs needs, and is told the rest.
      await run(`import newer.csv ${BRIDGE} ${KEPT} --limit 1`);
      const given = verb === "import" ? [`${BRIDGE} ${KEPT}`, "--dry-run"] : [""];
      for (const more of given) {
        const { stdout, stderr: hints } = await run([verb, words, more].filter(Boolean).join(" "));
        const imports = [...printed(stdout), ...printed(hints)].filter((one) =>
          / import (?!.*--dry-run)/.test(one),
        );
        expect(imports.length, stdout).toBeGreaterThan(0);
        for (const command of imports) {
          expect(command).toMatch(/ --on-unusable-hash bridge\b/);
          expect(command).toMatch(/ --upstream auth0\b/);
          expect(command).toMatch(/ --prehash-salt-file pepper\b/);
          expect(command).toMatch(/ --vault \S+/);
          expect(command).toMatch(/ --vault-key-file vault\.key\b/);
          if (command.includes(" --core URL ")) continue;
          const { code, stderr } = await run(command);
          expect([0, 65], stderr).toContain(code);
        }
        // What starts the bridge asks the vendor still.
        expect((await run("status")).stdout).toContain("--upstream auth0");
      }
    },
  );

  it("is looked at for every command", async () => {
    expect(Object.keys(PRINTS).sort()).toEqual([...(await loadVerbs()).keys()].sort());
  });
});

describe("the import that a rehearsal names for a core of one's own", () => {
  it.each([
    ["good.csv", "", "keeps the sign-up day of each", 0],
    ["old.csv", " --accept-rejects 1", "keeps the sign-up day of each", 0],
    [
      "old.csv",
      ` ${BRIDGE} --vault users.vault --vault-key-file vault.key`,
      "keeps the sign-up day of those without the bridge",
      1,
    ],
  ])(
    "keeps the days of joining that the rehearsal has kept: %s",
    async (file, words, says, lost) => {
      const { core, run } = await begun();
      const { stdout } = await run(`import ${file}${words}`);
      // Whose day is kept, the rehearsal's users say, and not what its last run has done.
      const repeated = (await run(`import ${file}${words}`)).stdout;
      for (const screen of [stdout, repeated]) {
        expect(flat(screen)).toContain(`--bulk always ${says}:`);
      }
      expect(importOf(repeated)).toBe(importOf(stdout));
      const there = await run(`${importOf(stdout)} --json`);
      const { exitCode, notices } = summaryOf(there.stdout);
      expect([exitCode, notices], there.stderr).toMatchObject([0, {}]);
      expect((notices as Record<string, number>)["joined_not_migrated"] ?? 0).toBe(lost);
      // Who was told it has given the option.
      const told = jsonLines(there.stdout).filter(({ code }) => code === "joined_not_migrated");
      expect(told.length > 0).toBe(lost > 0);
      const hints = told.map(({ hint }) => hint);
      expect(hints.join().includes("takes no users for the bridge")).toBe(lost > 0);
      expect(hints.join()).not.toContain("--bulk");
      await core.stop();
    },
  );

  it("is one for each export and for its mended rows, whichever ran last", async () => {
    const { cwd, core, run } = await begun();
    const good = readFileSync(join(cwd, "good.csv"), "utf8");
    const bad = `b-1,no address,${bcryptOf("Kaz00")},2021-03-03T09:00:00Z,3`;
    writeInto(cwd, "mixed.csv", `${good}\n${bad}`);
    writeInto(cwd, "bad.csv", `${good.split("\n")[0]}\n${bad}`);
    const real = async (command: string) =>
      printed((await run(command)).stdout).filter((one) => one.includes(" --core URL "));
    // A pilot is a part of the whole, and who brings no user brings none there.
    for (const words of ["--limit 1", "--rejects-out r.csv"]) {
      expect(await real(`import mixed.csv ${words}`)).toEqual([]);
    }
    expect(await real("import bad.csv")).toEqual([]);
    const mended = readFileSync(join(cwd, "r.csv"), "utf8");
    writeInto(cwd, "r.csv", mended.replace("no address", "lea.holm@example.com"));
    const there = "--core URL --bulk always --checkpoint real.checkpoint";
    const both = [
      `auth-migrate import mixed.csv ${there}`,
      `auth-migrate import r.csv --from csv ${there}`,
    ];
    expect(await real("import r.csv --from csv")).toEqual(both);
    const [_, second = ""] = both;
    const first = `auth-migrate import mixed.csv --expect-users 3 ${there}`;
    expect(await real("import mixed.csv --expect-users 3")).toEqual([first, second]);
    expect((await run(first)).code).toBe(65);
    const { stdout } = await run(`${second} --json`);
    const standing = { users: 3, imported: 3, rejected: 0 };
    expect(summaryOf(stdout)).toMatchObject({ exitCode: 0, notices: {}, standing });
    await core.stop();
  });

  it.each([
    ["good.csv", "", " --prove tests.csv"],
    ["good.csv", " --bulk never", ""],
    ["good.csv", " --carry verified", " --prove tests.csv"],
    ["old.csv", ` ${BRIDGE}`, " --prove tests.csv --vault users.vault --vault-key-file vault.key"],
  ])("is named by a proof that follows as well: %s%s%s", async (file, words, more) => {
    const { cwd, core, run } = await begun();
    writeInto(cwd, "tests.csv", "g-1,Tr0mbone\n");
    const { stdout } = await run(`import ${file}${words}${more}`);
    const proved = words.replace(" --bulk never", "");
    const proof = flat((await run(`prove ${file}${proved} --passwords tests.csv`)).stdout);
    expect(proof).toContain("The import of these files is finished. To bring these users ");
    expect(proof).not.toContain("reconcile");
    const [, days, command = ""] = /your core([^:]*): (auth-migrate import .*) $/.exec(proof) ?? [];
    expect(flat(stdout)).toContain(`To bring these users to your core${days}:`);
    // Where the import had no proof, this one's comes along.
    expect(command).toContain(" --prove tests.csv ");
    expect(command.replace(more === "" ? " --prove tests.csv" : "", "")).toBe(importOf(stdout));
    await core.stop();
  });

  it("is one for each file behind a proof, which goes along with the file that was proved", async () => {
    const { cwd, core, run } = await begun();
    writeInto(cwd, "tests.csv", "g-1,Tr0mbone\n");
    const more = `n-1,lea.holm@example.com,${bcryptOf("Kaz00")},2021-03-03T09:00:00Z,3`;
    writeInto(cwd, "more.csv", `id,email,password_hash,created_at,points\n${more}`);
    await run("import more.csv");
    await run("import good.csv --limit 1");
    const real = (await run("prove good.csv --passwords tests.csv")).stdout;
    expect(real).not.toContain(" --core URL ");
    await run("import good.csv");
    const { stdout } = await run("prove good.csv --passwords tests.csv");
    const there = "--core URL --bulk always --checkpoint real.checkpoint";
    expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
      `The import of these files is finished. To bring these users to your core by these imports, one after the other; --bulk always keeps the sign-up day of each: auth-migrate import more.csv ${there}`,
      `Then: auth-migrate import good.csv --prove tests.csv ${there}`,
    ]);
    await core.stop();
  });

  it.each([
    ["bridge and social", ["b", "s"], null],
    ["social", ["s"], null],
    ["bridge and password", ["b", "p"], "those without the bridge"],
    ["social and password", ["s", "p"], "those without a social account"],
    ["all three", ["b", "s", "p"], "those without the bridge or a social account"],
  ])("keeps days by the queue where it takes somebody: %s", async (_who, kinds, whose) => {
    const { cwd, core, run } = await begun();
    const lines = kinds.map((kind, at) => {
      const [user_id, isSocial] = [
        `${kind === "s" ? "google-oauth2" : "auth0"}|${at}`,
        kind === "s",
      ];
      const provider = isSocial ? "google-oauth2" : "auth0";
      const identities = [{ provider, user_id: `${at}`, connection: provider, isSocial }];
      const email = `user.${at}@example.com`;
      const created_at = `2022-01-0${at + 1}T09:00:00.000Z`;
      const passwordHash = kind === "p" ? { passwordHash: bcryptOf("Tr0mbone") } : {};
      return JSON.stringify({
        user_id,
        email,
        email_verified: true,
        created_at,
        identities,
        ...passwordHash,
      });
    });
    writeInto(cwd, "auth0.ndjson", `${lines.join("\n")}\n`);
    const vault = "--upstream auth0 --vault users.vault --vault-key-file vault.key";
    const bridge = kinds.includes("b") ? ` ${BRIDGE} ${vault}` : "";
    const { stdout, stderr } = await run(`import auth0.ndjson --from auth0${bridge}`);
    const command = importOf(stdout);
    expect(command.includes("--bulk always"), stdout + stderr).toBe(whose !== null);
    expect(/keeps the sign-up day of ([^:]*):/.exec(flat(stdout))?.[1] ?? null).toBe(whose);
    const there = await run(`${command} --json`);
    expect(there.code, there.stderr).toBe(0);
    const { notices } = summaryOf(there.stdout);
    const kept = whose === null ? 0 : 1;
    expect((notices as Record<string, number>)["joined_not_migrated"] ?? 0).toBe(
      kinds.length - kept,
    );
    await core.stop();
  });

  it("has no option that changes nothing, or that was given otherwise", async () => {
    const { core, run } = await begun();
    const undated = " --carry verified";
    for (const words of [undated, " --bulk never"]) {
      const { stdout } = await run(
        `import good.csv${words} --data x${words.length}.db --checkpoint x${words.length}.checkpoint`,
      );
      expect(importOf(stdout)).toContain("--core URL --checkpoint");
      expect(flat(stdout)).not.toContain("--bulk always");
    }
    await core.stop();
  });
});

describe("the import that setup prints", () => {
  const KEEPS = "--bulk always keeps the sign-up day of each:";
  const plain = `id,email,password_hash\np-1,p.1@example.com,${bcryptOf("Kaz00")}\n`;

  it.each([
    ["none of a file without them", "plain.csv", "--core URL", false],
    ["those of a file", "good.csv", "--core URL", true],
    // In this process any call keeps them.
    ["none for a core of this machine", "good.csv", "--data own.db", false],
  ])("keeps days of joining as that of a rehearsal does: %s", async (_what, file, at, keeps) => {
    const { cwd, core, run } = await begun();
    writeInto(cwd, "plain.csv", plain);
    const rehearsed = await run(`import ${file}`);
    const { stdout } = await run(`setup ${file} ${at} --no-input --skip-proof`);
    expect(flat(rehearsed.stdout).includes(KEEPS)).toBe(file === "good.csv");
    expect(flat(stdout).includes(KEEPS), stdout).toBe(keeps);
    expect(importOf(stdout).includes(" --bulk always")).toBe(keeps);
    const there = await run(`${importOf(stdout)} --checkpoint own.checkpoint --json`);
    const { exitCode, notices } = summaryOf(there.stdout);
    expect(exitCode, there.stderr).toBe(0);
    expect(notices).not.toHaveProperty("joined_not_migrated");
    await core.stop();
  });

  it("has a dry run of its own that takes the same options", async () => {
    const { core, run } = await begun();
    const { stdout } = await run("setup old.csv --core URL --no-input --skip-proof");
    const [validate = ""] = printed(stdout).filter((one) => one.includes(" validate "));
    expect(validate).toContain(" --bulk always");
    expect((await run(validate)).code).toBe(65);
    await core.stop();
  });
});

describe("what setup says of rejects and of fields that stay behind", () => {
  it("works with the commands that it prints", async () => {
    const { core, run } = await begun();
    const { stdout } = await run("setup old.csv --data auth-core.db --no-input --skip-proof");
    const says = flat(stdout);
    expect(says).not.toContain("setup again");
    expect(says).toContain("This says it of all rows: auth-migrate validate old.csv ");
    const [validate = ""] = printed(stdout).filter((one) => one.includes(" validate "));
    expect((await run(validate)).code).toBe(65);
    // The option that the reject's code names is given to the import.
    const { code } = await run(`${importOf(stdout)} --on-unusable-hash passwordless`);
    expect(code).toBe(0);
    await core.stop();
  });

  it("names for fields what works with a mapping, and without one", async () => {
    const { cwd, core, run } = await begun();
    const hint = flat((await run("help fields_not_migrated")).stdout);
    const [, option = ""] = /(--map metadata\.NAME=COLUMN) brings one/.exec(hint) ?? [];
    const [, line = ""] = /--mapping its line (metadata: \{ NAME: COLUMN \})/.exec(hint) ?? [];
    const named = (text: string) => text.replace("NAME", "score").replace("COLUMN", "points");
    const brings = { carriedUsers: { metadata: 2 } };
    const plain = await run(`validate good.csv ${named(option)} --json`);
    expect(summaryOf(plain.stdout), plain.stderr).toMatchObject(brings);
    await run("setup good.csv --data auth-core.db --no-input --skip-proof");
    const refused = await run(`validate good.csv ${named(option)}`);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("wins")]);
    const mapping = join(cwd, "auth-migrate.mapping.yaml");
    const text = readFileSync(mapping, "utf8");
    expect(text).not.toMatch(/^metadata:/m);
    writeFileSync(mapping, `${text}\n${named(line)}\n`);
    const mapped = await run("validate good.csv --mapping auth-migrate.mapping.yaml --json");
    expect(summaryOf(mapped.stdout), mapped.stderr).toMatchObject(brings);
    await core.stop();
  });
});
