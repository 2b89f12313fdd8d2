import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Asker } from "../../../src/cli/setup/asker.js";
import type { GivenMap } from "../../../src/source/generic/field-map.js";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { collect, PLAIN, pieces } from "../../source/support.js";
import { workFolders, writeInto } from "../support.js";
import { chooseFiles } from "./support/ask.js";
import { scriptedAsker } from "./support/scripted-asker.js";

const workFolder = workFolders();

/** Each is known to some columns and unknown to others. */
const WORDS = [
  ...["gesperrt", "banned", "deleted", "pending", "nein", "unverified", "2020-01-01"],
  ...["aktiv", "ja", "verified", "", "ruhend", "3", "7"],
];

/** Words of later rows, at which no setup looks. */
const LATER = ["9", "parkiert", "banned"];

const FORMATS = {
  csv: {
    source: genericCsv,
    textOf: (name: string, words: readonly string[]) =>
      [`id,email,phone,${name}`, ...words.map((word, at) => `${contactsOf(at)},${word}`)].join(
        "\n",
      ),
  },
  json: {
    source: genericJson,
    textOf: (name: string, words: readonly string[]) =>
      JSON.stringify(
        words.map((word, at) => {
          const [id, email, phone] = contactsOf(at).split(",");
          return { id, email, phone, [name]: word };
        }),
      ),
  },
} as const;

function contactsOf(at: number): string {
  return `${at},u${at}@example.com,+155501000${10 + at}`;
}

/** Whether each word's user is let in, and which of their contacts is verified. */
async function outcomes(format: keyof typeof FORMATS, name: string, map: GivenMap) {
  const { source, textOf } = FORMATS[format];
  const bytes = pieces(Buffer.from(textOf(name, [...WORDS, ...LATER])), 97);
  const items = await collect(source.read("users", bytes, { ...PLAIN, map }));
  return items.map((item) => {
    if (item.kind !== "record" || item.record.exclusions.length > 0) return "not let in";
    const { email, phone } = item.record;
    return `let in, verified: ${email?.verified === true} ${phone?.verified === true}`;
  });
}

/** Answers one of the questions about words so, and all others as Enter alone does. */
async function answered(file: string, asked?: string, answer?: string) {
  const offered = new Map<string, readonly string[]>();
  const prompt: Asker["prompt"] = async (question) => {
    if (question.kind !== "choose") return file;
    if (!question.message.startsWith("What does ")) return "done";
    const answers = question.choices.map(({ value }) => value);
    offered.set(question.message, answers);
    return (question.message === asked ? answer : answers[0]) ?? "";
  };
  const { map } = await chooseFiles([], { ...scriptedAsker(), prompt });
  return { map, offered };
}

describe.each(["csv", "json"] as const)("an answer about one word of a %s column", (format) => {
  it.each([
    ...["Zustand", "status", "account_status", "active", "is_active", "enabled", "activated_at"],
    ...["banned", "disabled", "locked_until", "deleted_at", "valid_until"],
    ...["email_verified", "mail_bestaetigt", "phone_verified", "email_status"],
  ])("lets in nobody by another word, nor verifies a contact: %s", async (name) => {
    const folder = workFolder();
    const file = join(folder, writeInto(folder, "users", FORMATS[format].textOf(name, WORDS)));
    const before = await outcomes(format, name, new Map());
    const { offered } = await answered(file);
    expect(offered.size).toBeGreaterThan(0);
    for (const [question, answers] of offered) {
      const word = /^What does "(.*)" of /.exec(question)?.[1] ?? "";
      const others = (all: readonly string[]) => all.filter((_, at) => WORDS[at] !== word);
      expect.soft(answers, question).toContain("left");
      for (const answer of answers) {
        const { map } = await answered(file, question, answer);
        const after = await outcomes(format, name, map);
        expect.soft(others(after), `${question} ${answer}`).toEqual(others(before));
      }
    }
  });
});
