import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { confirm, declined } from "../../src/cli/prompts.js";
import type { Question } from "../../src/cli/setup/asker.js";
import { openAsker, unheard } from "../../src/cli/setup/clack-asker.js";
import type { Terminal } from "../../src/cli/terminal.js";

/** A terminal whose operator never answers. */
function silentTerminal(): Terminal {
  const io = { stdin: new PassThrough(), stderr: new PassThrough().resume() };
  return { io, canPrompt: true } as unknown as Terminal;
}

it("cuts over without users who are left only where somebody says so", async () => {
  for (const [typed, isAgreed] of [
    ["\r", false],
    ["y", true],
  ] as const) {
    const terminal = silentTerminal();
    const asked = confirm("cutover", terminal, "Cut over without them?").then(
      () => true,
      ({ code }) => (code === "confirmation_declined" ? false : code),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    (terminal.io.stdin as unknown as PassThrough).write(typed);
    expect(await asked).toBe(isAgreed);
  }
});

it("what is typed while a password is verified is hidden and answers nothing, and Ctrl-C stops", async () => {
  const raw: boolean[] = [];
  const left: string[] = [];
  const setRawMode = (is: boolean): void => void raw.push(is);
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const leaveBy = (by: NodeJS.Signals): void => void left.push(by);
  // As a question leaves it.
  stdin.pause();
  const verified = await unheard({ stdin, leaveBy }, async () => {
    stdin.write("Tr0mbone\r");
    expect(raw).toEqual([true]);
    return "proved";
  });
  expect([verified, raw, stdin.read(), left]).toEqual(["proved", [true, false], null, []]);
  await unheard({ stdin, leaveBy }, async () => void stdin.write("\u0003"));
  expect([left, raw.at(-1)]).toEqual([["SIGINT"], false]);
});

describe("a signal that stops a run", () => {
  const asks =
    (question: Question) =>
    async ({ io }: Terminal, signal: AbortSignal): Promise<string> =>
      (await openAsker(io, { signal, canceled: () => declined("") })).prompt(question, false);
  const choices = [{ value: "skip", label: "Skip the proof" }];
  it.each<[string, (terminal: Terminal, signal: AbortSignal) => Promise<unknown>]>([
    ["whether to import", (terminal, signal) => confirm("import", terminal, "Import?", signal)],
    ["what now", asks({ kind: "choose", message: "And now?", choices })],
    ["which user is known", asks({ kind: "text", message: "A user" })],
    ["a user's password", asks({ kind: "secret", message: "Password of ada" })],
    ["the signer key", asks({ kind: "secret", message: "base64_signer_key", pasted: true })],
    ["whether to go on", asks({ kind: "confirm", message: "Go on?" })],
  ])("ends the question that asks %s, and is its reason", async (_what, ask) => {
    const controller = new AbortController();
    const asked = ask(silentTerminal(), controller.signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    controller.abort();
    await expect(asked).rejects.toBe(controller.signal.reason);
  });
});
