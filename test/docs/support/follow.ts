/** Follows a page's sessions as a reader would, and expects what the page says of them. */

import { expect } from "vitest";
import type { Block } from "./blocks.js";
import { openSession, type Session } from "./session.js";
import { commandsOf, firstDifference } from "./transcript.js";

/**
 * Runs the blocks of one session one after the other.
 *
 * @param bin the program that `auth-migrate` stands for; the checkout's by default
 */
export async function follow(
  folder: string,
  blocks: readonly Block[],
  bin?: string,
): Promise<void> {
  await inSession(folder, blocks, bin, async (session) => {
    for (const block of blocks) {
      await prepare(session, block);
      await (block.language === "sh" ? runScript : runShown)(session, block);
    }
  });
}

/** Work in a folder of its own, with what the blocks mention. */
export async function inSession(
  folder: string,
  blocks: readonly Block[],
  bin: string | undefined,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const mentions = blocks.map(({ text, directive }) => `${text}${directive.setup}`).join("\n");
  const session = await openSession(folder, mentions, bin);
  try {
    await work(session);
  } finally {
    await session.end();
  }
}

/** Gives a block what it needs before it. */
export async function prepare(session: Session, { directive, where }: Block): Promise<void> {
  session.give(directive.fixtures);
  if (directive.setup === "") return;
  const { code, output } = await session.run(directive.setup);
  expect(code, `the setup of ${where}: ${output}`).toBe(0);
}

async function runScript(session: Session, { where, text, directive }: Block): Promise<void> {
  const result = await (directive.serves ? session.serve(text) : session.runHere(text));
  expect(result.code, `${where}: ${result.output}`).toBe(directive.exit);
}

async function runShown(session: Session, { where, text, directive }: Block): Promise<void> {
  const commands = commandsOf(text);
  for (const [index, { command, lines }] of commands.entries()) {
    const isLast = index === commands.length - 1;
    const serves = directive.serves && isLast;
    const result = await (serves ? session.serve(command) : session.run(command));
    const told = `${where}: ${command} tells\n${result.output}`;
    expect(result.code, told).toBe(isLast ? directive.exit : 0);
    expect(firstDifference(lines, result.output), told).toBeNull();
  }
}
