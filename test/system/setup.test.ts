import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { signIn, workFolders, writeInto } from "../cli/support.js";
import { startServe } from "../support/cli.js";
import { type Terminal, terminals } from "./support/terminal.js";

const FIREBASE = fileURLToPath(new URL("../cli/fixtures/known-answers/firebase/", import.meta.url));
const workFolder = workFolders();
const openTerminal = terminals();

const USERS = readFileSync(join(FIREBASE, "project-1/users.json"), "utf8");
const RIGHT = block("project-1");
const OTHER_PROJECTS = block("project-2");
const ADA = {
  email: "ada.brandt@example.com",
  password: "this$is%to^test&some=symbols*out@",
};

/** What stands in place of a secret. */
/** Marks of the question that is being asked: those of an earlier one stand above. An Enter that comes with a paste belongs to it. */
const HIDDEN = /◆[^◆]*▪/;

function block(project: string): string {
  return readFileSync(join(FIREBASE, project, "hash-config.txt"), "utf8");
}

function signerKey(text: string): string {
  return /base64_signer_key: (\S+),/.exec(text)?.[1] ?? "";
}

/** A folder with an export in it, and nothing else. */
function exportFolder(): string {
  const folder = workFolder();
  writeInto(folder, "users.json", USERS);
  return folder;
}

/** Every file with its mode and its content. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const path = join(folder, name);
      return [name, `${statSync(path).mode & 0o777} ${readFileSync(path, "latin1")}`];
    }),
  );
}

/** The walk's frame has its guide on every line, however narrow the terminal is; also behind a redraw. */
async function expectWholeFrame(terminal: Terminal): Promise<void> {
  const flaws = (): readonly string[] | null => {
    const lines = terminal.screen().split("\n");
    const start = lines.findIndex((line) => line.startsWith("┌"));
    const end = lines.findLastIndex((line) => line.startsWith("└"));
    const frame = lines.slice(start, end + 1);
    return start < 0 ? null : frame.filter((line) => !/^[┌│└◇◆●▲■]/.test(line));
  };
  await expect.poll(flaws).toEqual([]);
}

async function chooseFile(terminal: Terminal): Promise<void> {
  await terminal.asks("Which file has the users?");
  terminal.type("users.json");
  terminal.press("Enter");
  await terminal.asks("Is that the export?");
  terminal.press("Enter");
}

async function pasteBlock(terminal: Terminal, text: string): Promise<void> {
  await terminal.asks("How do you give them?");
  terminal.press("Enter");
  await terminal.asks("Paste the block, then press Enter");
  terminal.paste(text);
  await terminal.sees(HIDDEN);
  terminal.press("Enter");
}

/** The last question shows the answers. */
async function agree(terminal: Terminal): Promise<void> {
  await terminal.asks("Is that right?");
  terminal.press("Enter");
}

async function chooseEmbedded(terminal: Terminal): Promise<void> {
  await terminal.asks("Which core do the users go into?");
  terminal.press("Enter");
  await terminal.asks("Its data file");
  terminal.press("Enter");
}

async function giveAda(terminal: Terminal): Promise<void> {
  await terminal.asks("A user whose password you know");
  terminal.type(ADA.email);
  terminal.press("Enter");
  await terminal.asks(`Password of ${ADA.email}`);
  terminal.type(ADA.password);
  terminal.press("Enter");
}

describe("from nothing to an import, at a terminal", () => {
  it.each([
    [60, 200],
    [80, 24],
    [120, 40],
  ])("of %i columns and %i lines, with a wrong signer key caught first", async (columns, lines) => {
    const cwd = exportFolder();
    const before = contents(cwd);
    const terminal = openTerminal({ cwd, columns, lines });
    terminal.run("setup");
    await chooseFile(terminal);
    await pasteBlock(terminal, OTHER_PROJECTS);
    await chooseEmbedded(terminal);
    await giveAda(terminal);

    await terminal.sees("Not proved");
    await terminal.asks("And now?");
    await expectWholeFrame(terminal);
    expect(contents(cwd)).toEqual(before);

    terminal.press("Down", "Down", "Enter");
    await pasteBlock(terminal, RIGHT);
    await terminal.sees("Proved: the password verifies against the hash of row 1.");
    await terminal.asks("Is that right?");
    expect(contents(cwd)).toEqual(before);
    await agree(terminal);
    await terminal.exits(0);
    await expectWholeFrame(terminal);
    const created = ["auth-core.yaml", "auth-migrate.config.json", "users.json"];
    expect(readdirSync(cwd).sort()).toEqual(created);
    await terminal.sees("auth-migrate import users.json");

    terminal.run("import", "users.json");
    await terminal.exits(0);
    await terminal.sees("Proved by setup: key, parameters and user are still the same.");
    await terminal.sees("Done: every row has an outcome.");

    for (const secret of [ADA.password, signerKey(RIGHT), signerKey(OTHER_PROJECTS)]) {
      expect(terminal.screen().replaceAll("\n", "").includes(secret.slice(0, 16))).toBe(false);
    }
    const core = await startServe({ cwd });
    expect(await signIn(core, ADA.email, ADA.password)).toBe("OK");
    expect(await signIn(core, ADA.email, "this$is%another")).toBe("WRONG_CREDENTIALS_ERROR");
    await core.stop();
  });

  it("into a remote core, with the parameters typed one by one and the key given wrongly first", async () => {
    const core = await startServe({ cwd: workFolder(), apiKey: "garnet-quay-4417-key" });
    const cwd = exportFolder();
    const terminal = openTerminal({ cwd, columns: 60 });
    terminal.run("setup", "users.json");
    await terminal.asks("How do you give them?");
    terminal.press("Down", "Down", "Enter");
    await terminal.asks("rounds");
    terminal.type("99");
    terminal.press("Enter");
    await terminal.sees("rounds must be a whole number from 1 to 16.");
    terminal.press("BSpace", "BSpace");
    terminal.type("8");
    terminal.press("Enter");
    await terminal.asks("mem_cost");
    terminal.press("Enter");
    await terminal.asks("base64_salt_separator");
    terminal.press("Enter");
    await terminal.asks("base64_signer_key");
    terminal.type(signerKey(RIGHT).slice(0, 40));
    await terminal.sees(HIDDEN);
    terminal.press("Enter");
    await terminal.sees("must be base64 of 64 bytes");
    terminal.type(signerKey(RIGHT));
    await terminal.sees(HIDDEN);
    terminal.press("Enter");

    await terminal.asks("Which core do the users go into?");
    terminal.press("Down", "Enter");
    await terminal.asks("Its base URL");
    terminal.type(core.url);
    terminal.press("Enter");
    await terminal.asks("Its API key");
    terminal.type("garnet-quay-0000-key");
    terminal.press("Enter");
    await terminal.sees("The core refuses the key");
    await terminal.asks("And now?");
    terminal.press("Enter");
    await terminal.asks("Its API key");
    terminal.type(core.apiKey);
    terminal.press("Enter");
    await giveAda(terminal);
    await agree(terminal);
    await terminal.exits(0);
    await expectWholeFrame(terminal);

    const screen = terminal.screen();
    expect(screen).toContain("vendor_password_hashing_signer_key");
    for (const secret of ["garnet-quay", signerKey(RIGHT).slice(0, 16)]) {
      expect(screen.replaceAll("\n", "").includes(secret)).toBe(false);
    }
    expect(readdirSync(cwd).sort()).toEqual(["auth-migrate.config.json", "users.json"]);
    await core.stop();
  });
});

describe("Ctrl-C leaves everything as it was and ends with 130", () => {
  async function expectUntouched(cwd: string, walk: (terminal: Terminal) => Promise<void>) {
    const before = contents(cwd);
    const terminal = openTerminal({ cwd, columns: 60 });
    terminal.run("setup");
    await walk(terminal);
    terminal.press("C-c");
    await terminal.exits(130);
    await terminal.sees("nothing was written and nothing was sent");
    expect(contents(cwd)).toEqual(before);
  }

  it("at the first question", async () => {
    await expectUntouched(exportFolder(), (terminal) => terminal.asks("Which file has the users?"));
  });

  it("in the middle of a hidden paste", async () => {
    await expectUntouched(exportFolder(), async (terminal) => {
      await chooseFile(terminal);
      await terminal.asks("How do you give them?");
      terminal.press("Enter");
      await terminal.asks("Paste the block, then press Enter");
      terminal.paste(RIGHT.slice(0, 60));
      await terminal.sees(HIDDEN);
    });
  });

  it("at a choice", async () => {
    await expectUntouched(exportFolder(), async (terminal) => {
      await chooseFile(terminal);
      await pasteBlock(terminal, RIGHT);
      await terminal.asks("Which core do the users go into?");
    });
  });

  it("before the last answer, with an earlier configuration in the folder", async () => {
    const cwd = exportFolder();
    writeInto(cwd, "auth-migrate.config.json", '{ "onUnusableHash": "passwordless" }\n');
    writeInto(cwd, "auth-core.yaml", "# the rehearsal's core\nport: 4000\n");
    await expectUntouched(cwd, async (terminal) => {
      await chooseFile(terminal);
      await pasteBlock(terminal, RIGHT);
      await chooseEmbedded(terminal);
      await giveAda(terminal);
      await terminal.asks("Is that right?");
    });
  });
});

it("letters move no list's mark: who types back there and presses Enter takes the first answer", async () => {
  const cwd = workFolder();
  const rows = ["1,u1@example.com,gesperrt", "2,u2@example.com,ruhend", "3,u3@example.com,aktiv"];
  writeInto(cwd, "kunden.csv", `id,email,Zustand\n${rows.join("\n")}\n`);
  const terminal = openTerminal({ cwd, columns: 80 });
  terminal.run("setup");
  await terminal.sees("Type back in place of an answer, or choose it in a list");
  await terminal.asks("Which file has the users?");
  terminal.type("kunden.csv");
  terminal.press("Enter");
  await terminal.asks('What does "ruhend" of "Zustand" mean?');
  await terminal.sees("Back to the question before");
  terminal.type("hjklback");
  terminal.press("Enter");
  await terminal.asks("Is that the export?");
  expect(terminal.screen()).toContain("I don't know: their rows are rejected");
  expect(terminal.screen()).not.toContain("The user is let in");
});

describe("a signal from outside", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("%s ends an import's question and sends nothing", async (signal, code) => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", "email\nann@example.com\n");
    const terminal = openTerminal({ cwd, columns: 80 });
    terminal.run("import", "users.csv");
    await terminal.asks("Import 1 row");
    terminal.kill(signal);
    await terminal.exits(code);
    await terminal.sees("Nothing was sent.");
  });
});
