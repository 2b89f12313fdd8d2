import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectScreen, expectToFit, giveDemo } from "../cli/screens.js";
import { workFolders } from "../cli/support.js";
import { type ServedCore, startServe } from "../support/cli.js";
import { type Terminal, terminals } from "./support/terminal.js";

const workFolder = workFolders();
const openTerminal = terminals();
const CONFIG = ["--hash-config", "hash-config.txt"] as const;
/** Without it a terminal asks for a password. */
const PROVED = ["--prove", "passwords.csv"] as const;
/** Slow enough for a bar to be seen: 580 calls in about three seconds. Asked nothing. */
const SLOWLY = [...PROVED, "--rate", "200", "--yes"] as const;
/** For a run that is still going on however late a test looks, and is stopped by it: ten seconds. */
const SLOWER = [...PROVED, "--rate", "60", "--yes"] as const;
const BAR = /\[█* *\] +\d+%/;

function demoFolder(): string {
  const folder = workFolder();
  giveDemo(folder);
  return folder;
}

/** What follows the command that was typed, without the prompt at its end. */
function shown(screen: string): string {
  const lines = screen.split("\n");
  // A narrow screen breaks what was typed wherever its path makes it.
  const typed = lines.findLastIndex((line) => /echo|\$\? ends|ends \d+\]"|\]"$|^"$/.test(line));
  const end = lines.findLastIndex((line) => /^\[\d+ ends \d+\]$/.test(line));
  // Where the keys were faster than the shell, its prompt stands behind them.
  return lines
    .slice(typed + 1, end)
    .join("\n")
    .replace(/^(?:> )+/, "");
}

describe.each([
  [40, 44],
  [80, 24],
  [120, 40],
])("on a terminal of %i columns and %i lines", (columns, lines) => {
  it("validate shows a census of one look", async () => {
    const terminal = openTerminal({ cwd: demoFolder(), columns, lines });
    terminal.run("validate", "problems.csv", ...CONFIG);
    await terminal.exits(65);
    const screen = shown(terminal.screen());
    expectToFit(screen, columns);
    await expectScreen(`tty-validate-problems-${columns}x${lines}`, screen);
  });

  it("import draws a bar that fits, and leaves nothing of it behind", async () => {
    const terminal = openTerminal({ cwd: demoFolder(), columns, lines });
    terminal.run("import", "users.csv", ...CONFIG, ...SLOWLY);
    await terminal.sees(/\d+ of 245 users/);
    await terminal.exits(0);
    const screen = shown(terminal.screen());
    expectToFit(screen, columns);
    expect(screen).not.toMatch(/of 245 users(?! are)/);
    await expectScreen(`tty-import-${columns}`, screen);
  });
});

describe("a bar", () => {
  async function begun(terminal: Terminal, pace: readonly string[] = SLOWLY): Promise<void> {
    terminal.run("import", "users.csv", ...CONFIG, ...pace);
    await terminal.sees(/\d+ of 245 users/);
  }

  it("stands on one line, with what is most worth knowing", async () => {
    const terminal = openTerminal({ cwd: demoFolder(), columns: 100, lines: 60 });
    await begun(terminal, SLOWER);
    const bars = terminal
      .screen()
      .split("\n")
      .filter((line) => BAR.test(line));
    expect(bars).toHaveLength(1);
    // A pace is told from the second event on, and an end after five seconds.
    expect(bars[0]).toMatch(/\] +\d+% {2}\d+ of 245 users(?: {2}\d+\/s(?: {2}ETA \d+s)?)?$/);
    terminal.press("C-c");
    await terminal.exits(130);
  });

  it.each([
    ["narrower", 100, 40],
    ["wider", 40, 100],
  ])("leaves nothing behind where the window is made %s", async (_, before, after) => {
    const terminal = openTerminal({ cwd: demoFolder(), columns: before, lines: 60 });
    await begun(terminal);
    terminal.resize(after);
    await terminal.exits(0);
    const screen = terminal.screen();
    expect(screen).not.toMatch(/of 245 users(?! are)/);
    expect(screen).toMatch(/Proved: 16 known passwords verify/);
    expect(screen).not.toMatch(BAR);
  });

  it("is gone when a signal stops the run, and when a second one ends it", async () => {
    const terminal = openTerminal({ cwd: demoFolder(), columns: 80, lines: 60 });
    await begun(terminal, SLOWER);
    terminal.press("C-c");
    await terminal.exits(130);
    const screen = terminal.screen();
    expect(screen).toMatch(/\nStopping: calls in flight end/);
    expect(screen).toMatch(/\nStopped; progress is saved\. To go on:\n {2}auth-migrate import /);
    expect(screen).not.toMatch(/of 245 users(?! are)/);
  });

  it("isn't drawn on a dumb terminal, which gets no escape sequence at all", async () => {
    const env = { TERM: "dumb" };
    const terminal = openTerminal({ cwd: demoFolder(), columns: 80, lines: 60, env });
    terminal.run("import", "users.csv", ...CONFIG, ...SLOWLY);
    await terminal.exits(0);
    const screen = shown(terminal.styledScreen());
    expect(screen).not.toContain("\u001b");
    await expectScreen("tty-import-80-dumb", screen);
  });
});

describe("color", () => {
  it("marks titles, and makes hints faint", async () => {
    const terminal = openTerminal({ cwd: demoFolder(), columns: 80, lines: 60 });
    terminal.run("validate", "users.csv", ...CONFIG);
    await terminal.exits(0);
    expect(terminal.styledScreen()).toMatch(/\u001b\[(?:0;)?1m(?:\u001b\[\d+m)*Findings/);
    expect(terminal.styledScreen()).toMatch(/\u001b\[2m {6}If the signer key/);
  });

  it("is left out where NO_COLOR asks for it", async () => {
    const env = { NO_COLOR: "1" };
    const terminal = openTerminal({ cwd: demoFolder(), columns: 80, lines: 60, env });
    terminal.run("validate", "users.csv", ...CONFIG);
    await terminal.exits(0);
    expect(shown(terminal.styledScreen())).not.toContain("\u001b");
  });
});

describe("before users are sent to a remote core", () => {
  let core: ServedCore;
  beforeAll(async () => {
    core = await startServe({ cwd: workFolder() });
  });
  afterAll(() => core.stop());

  it("the target and the counts are shown, and a no leaves everything as it was", async () => {
    const cwd = demoFolder();
    const before = readdirSync(cwd);
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const terminal = openTerminal({ cwd, columns: 80, lines: 60, env });
    terminal.run("import", "problems.csv", "--core", core.url);
    await terminal.asks(`Import 13 rows of problems.csv (csv) into the core at ${core.url}?`);
    await terminal.sees("13 rows; hashes: bcrypt 3");
    terminal.press("Enter");
    await terminal.exits(130);
    await terminal.sees("Cancelled; nothing was sent.");
    expect(readdirSync(cwd)).toEqual(before);
  });

  it("a yes sends them, and --yes isn't asked", async () => {
    const cwd = demoFolder();
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const terminal = openTerminal({ cwd, columns: 80, lines: 60, env });
    terminal.run("import", "problems.csv", "--core", core.url);
    await terminal.asks("Import 13 rows of problems.csv (csv)");
    terminal.press("Left", "Enter");
    await terminal.exits(65);
    terminal.run("import", "problems.csv", "--core", core.url, "--yes");
    await terminal.exits(65);
    await terminal.sees("10 rows are rejected");
  });
});

describe("before a core of this machine is made that nobody named", () => {
  it("a terminal is asked, and a no leaves nothing", async () => {
    const cwd = demoFolder();
    const before = readdirSync(cwd);
    const terminal = openTerminal({ cwd, columns: 80, lines: 60 });
    terminal.run("import", "problems.csv");
    await terminal.asks(
      "Import 13 rows of problems.csv (csv) into the embedded core auth-core.db?",
    );
    await terminal.sees("No --core was given");
    terminal.press("Enter");
    await terminal.exits(130);
    expect(readdirSync(cwd)).toEqual(before);
  });

  it("a terminal isn't asked where --data names it, nor by a second run", async () => {
    const cwd = demoFolder();
    const terminal = openTerminal({ cwd, columns: 80, lines: 60 });
    terminal.run("import", "problems.csv", "--data", "auth-core.db");
    await terminal.exits(65);
    terminal.run("import", "problems.csv");
    await terminal.exits(65);
    expect(terminal.screen()).not.toContain("No --core was given:");
  });
});
