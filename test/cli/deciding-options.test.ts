import { expect, it } from "vitest";
import { bcryptOf } from "../run/support/hashes.js";
import { runCli } from "../support/cli.js";
import { summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const MD5 = "5f4dcc3b5aa765d61d8327deb882cf99";

/** Each of these members but the first one needs a decision of the operator's. */
const MEMBERS = [
  "id,email,email_verified,phone,password_hash,disabled,two_factor_enabled,rank",
  `m-1,ada@example.com,true,,${bcryptOf("Tuba")},false,false,chair`,
  `m-2,ben@example.com,true,,${bcryptOf("Kaz00")},false,true,`,
  `m-3,cleo@example.com,true,,${bcryptOf("Ob0e")},true,false,`,
  `m-4,dora@example.com,true,,${MD5},false,false,`,
  "m-5,,,0151 12345678,,false,false,",
  `m-6,finn@example.com,false,,${bcryptOf("Harp")},false,false,`,
];

/** Their first export, which lacked the passwords. */
const FIRST = MEMBERS.slice(0, 2).map((line) => line.replace(/\$2.*?,/, ","));

it.each([
  [[], { imported: 2, mapped: 0, skips: { disabled: 1 } }],
  [["--keep-ids"], { mapped: 2 }],
  [["--include", "disabled"], { imported: 3 }],
  [["--on-lost-factor", "accept"], { imported: 3 }],
  [["--on-unusable-hash", "passwordless"], { created: 1 }],
  [["--default-country", "DE"], { created: 1, notices: { contact_mended: 1 } }],
  [["--carry", "none"], { carried: [] }],
  [["--map", "roles=rank", "--roles", "create"], { carriedUsers: { roles: 1 } }],
  [["--limit", "1"], { imported: 1, limited: true }],
] as const)("an import takes its users by %j", async (options, expected) => {
  const cwd = workFolder();
  writeInto(cwd, "members.csv", `${MEMBERS.join("\n")}\n`);
  const { stdout, stderr } = await runCli(["import", "members.csv", "--json", ...options], { cwd });
  expect(summaryOf(stdout), stderr).toMatchObject(expected);
});

it("an import brings those with --change-kind whose password it lacked, and names the option", async () => {
  const cwd = workFolder();
  writeInto(cwd, "first.csv", `${FIRST.join("\n")}\n`);
  writeInto(cwd, "members.csv", `${MEMBERS.slice(0, 2).join("\n")}\n`);
  await runCli(["import", "first.csv"], { cwd });
  const refused = await runCli(["import", "members.csv"], { cwd });
  expect([refused.code, refused.stdout]).toEqual([65, expect.stringContaining("--change-kind")]);
  const { stdout } = await runCli(["import", "members.csv", "--change-kind", "--json"], { cwd });
  expect(summaryOf(stdout)).toMatchObject({ imported: 1, notices: { kind_changed: 1 } });
});
