import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, type ServedCore, startCli, serveHere } from "../support/cli.js";
import { startGate } from "./gate.js";
import { expectScreen, expectToFit, giveDemo } from "./screens.js";
import { SOME_PASSWORDS, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const WIDTHS = [40, 80] as const;
const CONFIG = ["--hash-config", "hash-config.txt"] as const;
const PROOF = ["--prove", "passwords.csv"] as const;

/** What a log shows: messages, then the result. */
async function logOf(
  args: readonly string[],
  { columns, cwd = demoFolder(), env = {} }: ScreenOptions,
): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, {
    cwd,
    env: { COLUMNS: String(columns), ...env },
  });
  const log = `${stderr}${stdout}\nexit code ${code}\n`;
  expectToFit(log, columns);
  return log;
}

interface ScreenOptions {
  readonly columns: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What went well fits a screen of 24 lines. */
function expectShort(log: string, columns: number): void {
  const [lines = ""] = log.split("\n\nexit code ");
  if (columns >= 80) expect(lines.split("\n").length).toBeLessThanOrEqual(24);
}

function demoFolder(): string {
  const folder = workFolder();
  giveDemo(folder);
  return folder;
}

describe.each(WIDTHS)("in a log of %i columns", (columns) => {
  it("validate shows the census of a sound export", async () => {
    const log = await logOf(["validate", "users.csv", ...CONFIG], { columns });
    await expectScreen(`validate-${columns}`, log);
    expectShort(log, columns);
  });

  it("validate shows every kind of reject with its way out, and what calls take", async () => {
    const args = ["validate", "problems.csv", ...CONFIG, "--rate", "5"];
    await expectScreen(`validate-problems-${columns}`, await logOf(args, { columns }));
  });

  it("import shows that all went well, and how to check it", async () => {
    const log = await logOf(["import", "users.csv", ...CONFIG, ...PROOF], { columns });
    await expectScreen(`import-${columns}`, log);
    expectShort(log, columns);
  });

  it("import names the file of the rejects, and the command for it", async () => {
    const args = ["import", "problems.csv", ...CONFIG, "--rejects-out", "rejects.csv"];
    await expectScreen(`import-rejects-${columns}`, await logOf(args, { columns }));
  });
});

it("--quiet leaves the first line, and of trouble what is to be done", async () => {
  const cwd = demoFolder();
  const quiet = (file: string, ...more: string[]) =>
    runCli(["import", file, ...CONFIG, "--quiet", ...more], { cwd });
  expect(await quiet("users.csv", ...PROOF)).toMatchObject({
    code: 0,
    stdout: "240 of 245 users are at the core (98 %), 5 skipped.\n",
    stderr: "",
  });
  // Of another source, whose bare hashes nothing has proved.
  const { stdout } = await quiet("problems.csv", "--namespace", "problems");
  expect(stdout).toMatch(/^\d+ of 255 users .*\n.*\n {2}.* prove .*\n\d+ rows are rejected\./);
  expect(stdout.split("\n").length).toBeLessThan(16);
});

it("status, reconcile and cutover keep to 40 columns", async () => {
  const cwd = demoFolder();
  await runCli(["import", "users.csv", ...CONFIG], { cwd });
  const logs = [
    await logOf(["status"], { columns: 40, cwd }),
    await logOf(["reconcile", "users.csv"], { columns: 40, cwd }),
    await logOf(["cutover", "--checkpoint", "auth-migrate.checkpoint"], { columns: 40, cwd }),
  ];
  expect(logs.join("")).not.toMatch(/exit code [^0]/);
});

/** What commands say of a migration from its first look to its end, and of what is wrong. */
const COMMANDS: readonly (readonly string[])[] = [
  ["validate", "problems.csv", ...CONFIG, "--rate", "5", "--fields"],
  ["prove", "users.csv", ...CONFIG, "--passwords", "some.csv"],
  ["prove", "users.csv", ...CONFIG, "--passwords", "wrong.csv"],
  ["import", "problems.csv", ...CONFIG, "--rejects-out", "rejects.csv"],
  ["import", "users.csv", ...CONFIG],
  ["status"],
  ["report"],
  ["reconcile", "users.csv"],
  ["doctor", "--data", "auth-core.db"],
  ["split", "users.csv", "--shards", "3", "--out-dir", "parts"],
  ["check-source", "csv", "users.csv"],
  ["setup", "users.csv", ...CONFIG, "--data", "auth-core.db", "--skip-proof", "--map", "id=id"],
  ["cutover"],
  ["undo"],
  ["bridge"],
  ["import", "missing.csv"],
  ["import", "passwords.csv"],
  ["validate", "users.csv", "--from", "auth0"],
  ["validate", "users.csv", "--map", "email=mail_address_of_the_person"],
  ["import", "users.csv", "--core", "http://core.example.com/with/a/path/behind/the/balancer"],
];

/** What all commands say, and what differs from run to run is left out: times, ids, and the marks of a command's lines. */
async function textOfAll(env: Readonly<Record<string, string>>): Promise<string[]> {
  const cwd = demoFolder();
  writeInto(cwd, "some.csv", SOME_PASSWORDS.split("\n").slice(0, 2).join("\n"));
  writeInto(cwd, "wrong.csv", "hugo.yilmaz.1@example.com,oskar-sesame-7\n");
  const texts: string[] = [];
  for (const args of COMMANDS) {
    const { code, stdout, stderr } = await runCli(args, { cwd, env });
    const columns = Number(env.COLUMNS ?? Number.POSITIVE_INFINITY);
    expectToFit(`${stderr}${stdout}`, columns);
    texts.push(`${args.join(" ")}: ${stderr}${stdout} ${code}`);
  }
  return texts
    .join("\n")
    .replace(/ \\$/gm, "")
    .replace(
      /[\da-f]{8}…|\d{4}-\d\d-\d\d|\d\d:\d\d|[\d.]+ (?:s|min|users a second|calls a second)\b/g,
      "…",
    )
    .split(/\s+/);
}

it.each([
  ["auth-migrate", {}],
  ["npx auth-migrate", { npm_lifecycle_event: "npx" }],
])("no command of %s breaks a word or an address, however wide the screen is", async (_, env) => {
  const [, script = ""] = process.argv;
  process.argv[1] = "/home/kim/.npm/_npx/1a2b/node_modules/.bin/auth-migrate";
  try {
    const whole = await textOfAll(env);
    for (const columns of [80, 120]) {
      expect(await textOfAll({ ...env, COLUMNS: String(columns) })).toEqual(whole);
    }
  } finally {
    process.argv[1] = script;
  }
});

it("on a terminal no command writes the escapes of its own styles as text", async () => {
  const cwd = demoFolder();
  const terminal = { cwd, screen: 80, env: { NO_COLOR: "", CI: "true" } };
  const named = (name: string): string =>
    writeInto(cwd, "named.csv", `id,email,first_name\n1,ada@example.com,${name}\n`);
  const other = ["--data", "other.db", "--checkpoint", "other.checkpoint", "--carry", "metadata"];
  await runCli(["import", named("Ada"), ...other], { cwd });
  const differing = ["reconcile", named("Eda"), "--fields", ...other];
  let stdout = "";
  for (const args of [
    ...COMMANDS.filter(([command]) => command !== "setup" && command !== "cutover"),
    ["undo", "--dry-run"],
    differing,
  ]) {
    const ended = await runCli(args, terminal);
    stdout = ended.stdout;
    expect(`${stdout}${ended.stderr}`, args.join(" ")).not.toContain("\\u{1b}");
  }
  expect(stdout).toContain("\u001b[1mDifferent");
});

describe("on a screen of 80 columns", () => {
  it.each([24, 44])(
    "of %i lines the census of bad rows is cut, and says where the rest is",
    async (lines) => {
      const log = await logOf(["validate", "problems.csv", ...CONFIG], {
        columns: 80,
        env: { LINES: String(lines) },
      });
      await expectScreen(`validate-problems-80x${lines}`, log);
      // Where there is no room for what is to be done about a code, help says it.
      expect(log).toMatch(/What stands at each code, above or by\s+auth-migrate help CODE,/);
      const [, named = ""] = /and 9 more: ([\s\S]*?)\n\n/.exec(log) ?? [];
      const cut = named.match(/\b[a-z]\w+/g) ?? [];
      expect(cut.length).toBe(9);
      for (const code of cut) {
        const { stdout } = await runCli(["help", code], { cwd: workFolder() });
        expect(stdout).toMatch(new RegExp(`\`${code}\`.*: .*\\w`));
      }
      const length = log.split("\n").length - 3;
      expect(length).toBeGreaterThanOrEqual(24);
      // What is read as what comes before the summary, and may have scrolled a line or two away.
      expect(length).toBeLessThanOrEqual(46);
    },
  );

  it("of 24 lines the summary of an import names the report that has all", async () => {
    const args = ["import", "problems.csv", ...CONFIG, "--checkpoint", "may's.checkpoint"];
    const log = await logOf(args, { columns: 80, env: { LINES: "24" } });
    await expectScreen("import-problems-80x24", log);
  });
});

describe("the end of an import", () => {
  let core: ServedCore;
  beforeAll(async () => {
    core = await serveHere({
      cwd: workFolder(),
      args: ["--hash-config", `${demoFolder()}/hash-config.txt`],
    });
  });
  afterAll(() => core.stop());

  it("of a pilot names the command without the limit", async () => {
    const args = ["import", "users.csv", ...CONFIG, "--limit", "20"];
    await expectScreen("end-limited", await logOf(args, { columns: 80 }));
  });

  it("that a signal stopped names the command that goes on", async () => {
    const gate = await startGate(core, 60);
    const cwd = demoFolder();
    const args = ["import", "users.csv", ...CONFIG, "--core", gate.url, "--concurrency", "1"];
    const env = { COLUMNS: "80", AUTH_MIGRATE_API_KEY: core.apiKey };
    const run = startCli(args, { cwd, env });
    await gate.holding;
    run.kill("SIGINT");
    await run.says("Stopping");
    gate.open();
    const { stdout, code } = await run.ended;
    const end = stdout.slice(stdout.lastIndexOf("\nStopped"));
    await expectScreen("end-stopped", `${end}\nexit code ${code}`);
    const { stdout: compared, code: exit } = await runCli(
      ["reconcile", "--core", gate.url, "--json"],
      { cwd, env },
    );
    await gate.close();
    const { unfinished, finished, agrees } = summaryOf(compared);
    expect({ whole: Number(unfinished) + Number(finished), agrees, exit }).toEqual({
      ...{ whole: 240, agrees: true, exit: 65 },
    });
  });
});
