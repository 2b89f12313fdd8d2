import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const HASH = "$2b$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const USERS = ["ann", "bob"].map((name, at) => ({
  id: `${at + 1}`,
  email: `${name}@example.com`,
  password: HASH,
}));
const BARE = USERS.map(({ email: _email, ...user }) => user);
const EMAILS = USERS.map(({ id, email }) => ({ id: `e${id}`, user_id: id, email, verified: true }));
const BY_ID = Object.fromEntries(USERS.map(({ id, ...user }) => [`u${id}`, user]));
const POSTS = [{ id: "p1", title: "Spring at the lake" }];

/** Documents of users who aren't where a reader looks first. */
const FURTHER_IN: Readonly<Record<string, unknown>> = {
  "in the list of a list": { db: [{ meta: { version: 5 }, data: { posts: POSTS, users: USERS } }] },
  "in lists of each of several": { teams: USERS.map((user) => ({ title: "red", crew: [user] })) },
  "in lists of lists of lists": { sites: [{ name: "north", teams: [{ crew: USERS }] }] },
  "in lists of the elements of a list": [
    { shop: "north", customers: USERS.slice(0, 1) },
    { shop: "south", customers: USERS.slice(1) },
  ],
  "deep in objects": { data: { export: { people: USERS } } },
  "under their ids": { customers: BY_ID },
  "under their ids, deeper": { export: { made: 1, members: BY_ID } },
};

/** The command that a hint names: what jq makes of a file, then ours with its words; null where the machine has no jq. */
function commandIn(hint: string, cwd: string) {
  const [, program, file = ""] = /jq -c '([^']+)' (\S+) \|/.exec(hint) ?? [];
  const [, words = ""] = /auth-migrate (validate [^.(]*(?:\.[^ (][^.(]*)*)/.exec(hint) ?? [];
  const args = words.trim().replaceAll("'", "").replace(/\.$/, "").split(" ");
  if (program === undefined) return { args, stdin: "" };
  try {
    return { args, stdin: execFileSync("jq", ["-c", program, file], { cwd, encoding: "utf8" }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Documents whose users have their emails in a list beside them. */
const BESIDE = [{ users: BARE, email_addresses: EMAILS }, { data: { mails: EMAILS, users: BARE } }];

const MAPPING = `name: own
title: Own
recognize: [[id, password]]
users: [users, data.users]
id: id
email: email
hash: password
related:
  - { list: email_addresses, user: user_id, email: email, email_verified: verified }
  - { list: mails, user: user_id, email: email, email_verified: verified }
`;

describe.concurrent("users", () => {
  it.each(BESIDE)(
    "beside their emails are refused, and read by a mapping as the hint has it: %j",
    async (document) => {
      const cwd = newFolder();
      writeInto(cwd, "export.json", JSON.stringify(document));
      writeInto(cwd, "own.yaml", MAPPING);
      const told = await runCli(["validate", "export.json", "--json"], { cwd });
      const hint = expect.stringContaining("related in a mapping");
      expect(jsonLines(told.stdout).at(-1)).toMatchObject({ code: "input_unrecognized", hint });
      const args = ["validate", "export.json", "--mapping", "own.yaml", "--json"];
      const { stdout, stderr } = await runCli(args, { cwd });
      expect(summaryOf(stdout), stderr).toMatchObject({ ready: { import: 2 } });
    },
  );

  it.each(Object.entries(FURTHER_IN))(
    "%s are told with a command that reads them",
    async (_where, document) => {
      for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
        const cwd = newFolder();
        writeInto(cwd, "export.json", text);
        const told = await runCli(["validate", "export.json", "--json"], { cwd });
        const last = jsonLines(told.stdout).at(-1);
        expect(last).toMatchObject({ type: "error", code: "input_unrecognized" });
        const command = commandIn(String(last?.hint), cwd);
        if (command === null) return;
        const { args, stdin } = command;
        const { stdout, stderr } = await runCli([...args, "--json"], { cwd, stdin });
        expect(summaryOf(stdout), stderr).toMatchObject({ read: 2, ready: { import: 2 } });
      }
    },
  );
});
