/** A real terminal for the built command line: tmux, driven by keys and read by what is on its screen. It waits for screens, never for time. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { temporaryPaths } from "../../support/temporary-folder.js";

const BIN = fileURLToPath(new URL("../../../bin/auth-migrate.js", import.meta.url));
/** Between two looks at a screen. */
const LOOK_MS = 40;

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns: number;
  /** 200 by default. */
  readonly lines?: number;
  /** Beside PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Terminal {
  /** Types a command and Enter; the shell tells the exit code afterwards. */
  run(...args: readonly string[]): void;
  /** Types text as it is. */
  type(text: string): void;
  /** Presses keys by tmux's names: `Enter`, `Down`, `C-c`, `Escape`. */
  press(...keys: readonly string[]): void;
  /** Pastes text of several lines. */
  paste(text: string): void;
  /** The screen, and all that has scrolled off it. */
  screen(): string;
  /** The same with the escape sequences of bold and faint text in it. */
  styledScreen(): string;
  /** Sends the command a signal from outside, as `kill` does. */
  kill(signal: NodeJS.Signals): void;
  /** Makes the window wider or narrower. */
  resize(columns: number): void;
  /**
   * Waits until the screen has a text; line breaks and the guide at the left don't count. The test's
   * own limit alone bounds it: how long a command takes says nothing, other tests load the machine.
   */
  sees(text: string | RegExp): Promise<void>;
  /** Waits until a question is the one that is to be answered. */
  asks(question: string): Promise<void>;
  /** Waits for the end of the command. */
  exits(code: number): Promise<void>;
}

/** For the shell's prompt, which comes within a few of them. */
const MOST_LOOKS = 2000;

/** Answers a function that opens terminals; they are closed after each test, and shown where it failed. */
export function terminals(): (options: TerminalOptions) => Terminal {
  const path = temporaryPaths();
  const sockets: string[] = [];
  afterEach(({ task }) => {
    for (const socket of sockets.splice(0)) {
      if (task.result?.state === "fail") console.error(captured(socket));
      tmux(socket, ["kill-server"]);
    }
  });
  return ({ cwd, columns, lines = 200, env = {} }) => {
    const socket = path("tmux");
    sockets.push(socket);
    const { PATH = "", HOME = "" } = process.env;
    const given = Object.entries({ PATH, HOME, LANG: "C.UTF-8", PS1: "> ", ...env });
    const shell = ["env", "-i", "TERM=tmux-256color", ...given.map((each) => each.join("="))];
    const size = ["-x", String(columns), "-y", String(lines)];
    tmux(socket, ["new-session", "-d", "-s", "walk", ...size, "-c", cwd, ...shell, "sh", "-i"]);
    // Keys that are faster than the shell would have its prompt in front of the command's first line.
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      if (tmux(socket, ["capture-pane", "-p"]).startsWith(">")) break;
    }
    return driver(socket, path);
  };
}

function driver(socket: string, path: (name: string) => string): Terminal {
  const capture = (...how: readonly string[]): string => captured(socket, ...how);
  const send = (...keys: readonly string[]): void => void tmux(socket, ["send-keys", ...keys]);
  const until = async (text: string | RegExp): Promise<void> => {
    const wanted = typeof text === "string" ? literally(text) : text;
    // -J: lines that the terminal itself broke, in the middle of words, are one.
    while (!wanted.test(flat(capture("-J")))) await pause(LOOK_MS);
  };
  let commands = 0;
  return {
    screen: () => capture(),
    styledScreen: () => capture("-e"),
    kill(signal) {
      const shell = tmux(socket, ["display-message", "-p", "#{pane_pid}"]).trim();
      const [command] = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").split(" ");
      process.kill(Number(command), signal);
    },
    resize: (columns) => void tmux(socket, ["resize-window", "-x", String(columns)]),
    run(...args) {
      commands += 1;
      const words = args.map((word) => `'${word}'`).join(" ");
      send("-l", `${process.execPath} ${BIN} ${words}; echo "[$? ends ${commands}]"`);
      send("Enter");
    },
    type: (text) => send("-l", "--", text),
    press: (...keys) => send(...keys),
    paste(text) {
      const file = path("paste.txt");
      writeFileSync(file, text);
      tmux(socket, ["load-buffer", file]);
      tmux(socket, ["paste-buffer", "-d"]);
    },
    sees: until,
    // The question that is being asked is the only one with a filled mark.
    asks: (question) => until(new RegExp(`◆ ${literally(question).source}`)),
    exits: (code) => until(`[${code} ends ${commands}]`),
  };
}

/** The screen, and all that has scrolled off it. */
function captured(socket: string, ...how: readonly string[]): string {
  return tmux(socket, ["capture-pane", "-p", "-S", "-", ...how]).trimEnd();
}

function tmux(socket: string, args: readonly string[]): string {
  // -u: what is drawn is UTF-8, whatever the tester's locale is.
  return execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A screen without line breaks and without the guide at its left. */
function flat(screen: string): string {
  return screen.replace(/\n[│└]?/g, " ").replace(/\s+/g, " ");
}

function literally(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
