import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunError } from "../../src/errors/run-error.js";
import { readPasswordsFile } from "../../src/source/passwords-file.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const ANN = { user: "ann@example.com", password: "Tr0mbone" };
const BEN = { user: "+15550100002", password: "two words " };

function write(content: string | Buffer): string {
  const path = newPath("passwords.csv");
  writeFileSync(path, content);
  return path;
}

describe("a passwords file", () => {
  it.each([
    ["without a header", "ann@example.com,Tr0mbone\n+15550100002,two words \n"],
    ["with a header", "email,password\nann@example.com,Tr0mbone\n+15550100002,two words \n"],
    [
      "with its columns in another order",
      "Password,User\nTr0mbone,ann@example.com\ntwo words ,+15550100002\n",
    ],
    [
      "with more columns, of any number",
      "email,password,made_by\nann@example.com,Tr0mbone,PHP 8\n+15550100002,two words \n",
    ],
    [
      "with Windows line ends and a byte-order mark",
      "\ufeffemail,password\r\nann@example.com,Tr0mbone\r\n+15550100002,two words \r\n",
    ],
    [
      "with a byte-order mark before quotation marks",
      '\ufeff"user","password"\n"ann@example.com","Tr0mbone"\n+15550100002,"two words "\n',
    ],
    [
      "with blank lines and no line end at its end",
      "\nann@example.com,Tr0mbone\n\n+15550100002,two words ",
    ],
    ["as an array of JSON", JSON.stringify([ANN, BEN], null, 2)],
    [
      "as lines of JSON, by names of several kinds",
      `\ufeff{"id":null,"email":"${ANN.user}","password":"${ANN.password}","age":7}\r\n\n{"Phone":"${BEN.user}","Password":"${BEN.password}"}\n`,
    ],
    [
      "as JSON that has passwords under users",
      JSON.stringify({ [ANN.user]: ANN.password, [BEN.user]: BEN.password }),
    ],
    ["with spaces around users", " ann@example.com ,Tr0mbone\n+15550100002 ,two words \n"],
  ])("is read %s", async (_how, text) => {
    expect(await readPasswordsFile(write(text))).toEqual([ANN, BEN]);
  });

  it.each([
    ["a comma", '"a,b"', "a,b"],
    ["quotation marks doubled in quotation marks", '"say ""please"""', 'say "please"'],
    ["a quotation mark inside", 'pa"ss', 'pa"ss'],
    ["white space around it", " \tkey ", " \tkey "],
    ["a line end", '"two\nlines"', "two\nlines"],
    ["characters beyond ASCII", "pässwörd 密", "pässwörd 密"],
    ["a number sign first", "#1 fan", "#1 fan"],
    ["the word password", "password", "password"],
  ])("keeps a password to the letter: %s", async (_what, written, password) => {
    const users = await readPasswordsFile(write(`ann@example.com,${written}\n`));
    expect(users).toEqual([{ user: ANN.user, password }]);
  });

  it("gives back every password that is written by the rules of CSV", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (password) => {
        const path = write(`ann@example.com,"${password.replaceAll('"', '""')}"\n`);
        expect(await readPasswordsFile(path)).toEqual([{ user: ANN.user, password }]);
      }),
      { numRuns: 50 },
    );
  });

  it("gives back every password of JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (password) => {
        const one = { email: ANN.user, password };
        for (const written of [[one, one], one, { [ANN.user]: password }])
          expect((await readPasswordsFile(write(JSON.stringify(written)))).at(-1)).toEqual({
            user: ANN.user,
            password,
          });
      }),
      { numRuns: 50 },
    );
  });

  it("takes an id in braces for no JSON", async () => {
    const user = "{0f8f-ad5b}";
    expect(await readPasswordsFile(write(`${user},Tr0mbone\n`))).toEqual([{ ...ANN, user }]);
  });

  it("takes a thousand users and no more", async () => {
    const lines = (count: number): string => `${ANN.user},${ANN.password}\n`.repeat(count);
    expect(await readPasswordsFile(write(lines(1000)))).toHaveLength(1000);
    await expect(readPasswordsFile(write(lines(1001)))).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("at most 1000"),
    });
  });
});

describe("a passwords file is refused, with its name and row and nothing of its content,", () => {
  const SECRET = "kept-out-of-messages";
  type Refused = readonly [why: string, content: string | Buffer, reason: string];

  it.each<Refused>([
    [
      "where a row has no password",
      `ann@example.com,${SECRET}\n${SECRET}@example.com\n`,
      "row 2 (line 2) has no password",
    ],
    ["where a row names no user", `email,password\n,${SECRET}\n`, "row 1 (line 2) names no user"],
    [
      "where a comma stands in a password outside quotation marks",
      `email,password\nann@example.com,"a,b"\nbob@example.com,${SECRET},Hugo\n`,
      "has more than 2 fields in row 2 (line 3): a value with a comma in it has to stand in quotation marks",
    ],
    [
      "where a comma stands in other columns of several rows",
      `email,password,team\n\nann@example.com,"a\nb",x,y\nbob@example.com,${SECRET},x\n${`cy@example.com,${SECRET},x,y\n`.repeat(6)}`,
      "has more than 3 fields in row 1 (line 3), row 3 (line 6), row 4 (line 7), row 5 (line 8), row 6 (line 9) and 2 more:",
    ],
    ["where a quotation mark is never closed", `ann@example.com,"${SECRET}\n`, "never closed"],
    ["where it has a header alone", "email,password\n", "has no users"],
    ["where it is empty", "", "has no users"],
    ["where it isn't UTF-8", Buffer.from("ann@example.com,p\xe4ss\n", "latin1"), "UTF-8"],
    ["where it is no passwords file at all", Buffer.alloc(1024 * 1024 + 1, "x"), "larger"],
    ...[
      [`{"ann@example.com": "${SECRET}"`, "is JSON that can't be read"],
      [`{"email":"${SECRET}"}\n{"email":}\n`, "is JSON that can't be read"],
      [`[{"email": "ann@example.com", "secret": "${SECRET}"}]`, "row 1 names no user"],
      [`[{"email":"a@b.c","password":"${SECRET}"},{"email":"","password":"x"}]`, "row 2 names"],
      [`[{"email": "${SECRET}", "password": ""}]`, "row 1 has no password"],
      [`{"email":"${SECRET}","password":"x"}\n{"id":"b","password":7}`, "row 2 has a value that"],
      [`{"${SECRET}": {"ann": "x"}}`, "row 1 has a value that doesn't stand in quotation marks"],
      [`["${SECRET}", "x"]`, "row 1 names no user"],
      ["[]", "has no users"],
    ].map(([text = "", reason = ""]): Refused => [`of JSON: ${text}`, text, reason]),
  ])("%s", async (_case, content, reason) => {
    const path = write(content);
    const error: unknown = await readPasswordsFile(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining(reason),
    });
    // What is written as the hint says is read.
    const { hint = "" } = error as RunError;
    const [, first, other, row = ""] =
      /row is (\S+) \(or ([^:]+):.*as in ([^;]+);/.exec(hint) ?? [];
    for (const header of [first, other]) {
      const [user = "", password] = row.split(",");
      expect(await readPasswordsFile(write(`${header}\n${row}\n`))).toEqual([{ user, password }]);
    }
    expect(String(error)).toContain(path);
    expect(String(error)).not.toContain(SECRET);
  });

  it("where it doesn't exist", async () => {
    await expect(readPasswordsFile(newPath("none.csv"))).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("does not exist"),
    });
  });

  it("where it is a folder", async () => {
    await expect(readPasswordsFile(dirname(newPath("here")))).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("can't be read"),
    });
  });
});
