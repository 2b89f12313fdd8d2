/** The fenced blocks of README.md and docs, each with what the comment above it says of its test. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../laws/source-files.js";

/**
 * What the comment above a block says, as in
 * `<!-- test: fixtures=demo/users.csv exit=65 -->`:
 *
 * - `fixtures=a,b:c` copies files or folders of test/docs/fixtures or fixtures; `b:c` gives a name
 * - `setup="…"` is run by the shell before the block
 * - `exit=65` is the exit code of the last command; those before it end with 0
 * - `continues` keeps folder and core of the block before it
 * - `serves` leaves the last command running until those that continue have ended
 * - `skip (…)` isn't run, and says why
 */
export interface Directive {
  readonly fixtures: readonly string[];
  readonly setup: string;
  readonly exit: number;
  readonly continues: boolean;
  readonly serves: boolean;
  /** Why the block isn't run; empty where it is. */
  readonly skip: string;
}

/** A fenced block. */
export interface Block {
  /** As it is shown in test titles: `docs/cutover.md:12`. */
  readonly where: string;
  readonly page: string;
  /** What stands behind the fence, as in `sh`. */
  readonly language: string;
  readonly text: string;
  readonly directive: Directive;
}

const NO_DIRECTIVE: Directive = {
  fixtures: [],
  setup: "",
  exit: 0,
  continues: false,
  serves: false,
  skip: "",
};

/** README.md, SKILL.md and every page under docs, by their paths. */
export function docPages(): string[] {
  const names = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  return ["README.md", "SKILL.md", ...pages.sort()];
}

/** A page's text. */
export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** All blocks, in the order of the pages. */
export function allBlocks(): Block[] {
  return docPages().flatMap((page) => blocksOf(page, pageText(page)));
}

/** @throws Error for a comment that can't be read, so that a typo skips no test */
export function blocksOf(page: string, text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let comment: { readonly text: string; readonly line: number } | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const opening = /^(\s*)```(.*)$/.exec(line);
    if (opening === null) {
      comment = /^\s*<!-- test: /.test(line) ? { text: line, line: at } : keep(comment, line);
      continue;
    }
    const [, indent = "", language = ""] = opening;
    const end = lines.findIndex((each, index) => index > at && each === `${indent}\`\`\``);
    if (end < 0) throw new Error(`${page}:${at + 1} has no end`);
    const inside = lines.slice(at + 1, end).map((each) => each.slice(indent.length));
    const where = `${page}:${at + 1}`;
    const directive = comment === null ? NO_DIRECTIVE : parseDirective(comment.text, where);
    blocks.push({ where, page, language, text: `${inside.join("\n")}\n`, directive });
    comment = null;
    at = end;
  }
  if (comment !== null) throw new Error(`A test comment stands above no block: ${comment.text}`);
  return blocks;
}

/** A comment belongs to the block under it, across empty lines. */
function keep<T>(comment: T | null, line: string): T | null {
  if (comment === null || line.trim() === "") return comment;
  throw new Error(`A test comment stands above no block: ${line}`);
}

/** What each word of a comment sets. */
const WORDS: Readonly<Record<string, (value: string) => Partial<Directive>>> = {
  fixtures: (value) => ({ fixtures: value.split(",") }),
  setup: (value) => ({ setup: value.slice(1, -1) }),
  exit: (value) => ({ exit: Number(value) }),
  continues: () => ({ continues: true }),
  serves: () => ({ serves: true }),
};

function parseDirective(comment: string, where: string): Directive {
  const body = /<!-- test: (.*) -->\s*$/.exec(comment)?.[1];
  if (body === undefined) throw new Error(`${where}: the comment has no end`);
  const skip = /^skip \((.{10,})\)$/.exec(body)?.[1];
  if (skip !== undefined) return { ...NO_DIRECTIVE, skip };
  const set = (body.match(/setup="[^"]*"|\S+/g) ?? []).map((word) => {
    const [name = "", value = ""] = word.split(/=(.*)/s);
    const read = WORDS[name];
    if (read === undefined) throw new Error(`${where}: the comment has an unknown word: ${word}`);
    return read(value);
  });
  return Object.assign({ ...NO_DIRECTIVE }, ...set);
}

/** Blocks that are run one after the other in one folder: one, and those that continue it. */
export function sessionsOf(blocks: readonly Block[]): Block[][] {
  const sessions: Block[][] = [];
  for (const block of blocks) {
    const last = sessions.at(-1);
    if (!block.directive.continues) sessions.push([block]);
    else if (last?.[0]?.page === block.page) last.push(block);
    else throw new Error(`${block.where} continues no block`);
  }
  return sessions;
}
