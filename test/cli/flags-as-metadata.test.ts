import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { noticeHint } from "../../src/report/notice-hints.js";
import { runCli } from "../support/cli.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();
const DJANGO = new URL("../../mappings/django.yaml", import.meta.url);
const HEADER = "id,password,last_login,is_superuser,username,email,is_staff,is_active";

it("a flag that no role is comes by the metadata of a copied mapping, as its notice's hint says", async () => {
  const cwd = workFolder();
  writeFileSync(join(cwd, "users.csv"), `${HEADER}\n7,!,,f,ann,ann@example.com,t,t\n`);
  const own = readFileSync(DJANGO, "utf8");
  const copy = own.replaceAll(/^( *metadata: \{)/gm, "$1 is_staff: is_staff,");
  writeFileSync(join(cwd, "own.yaml"), copy);
  const validate = ["validate", "users.csv", "--fields"];
  const before = await runCli(validate, { cwd });
  expect(before.stdout).toContain("is_staff (1): told, roles_not_migrated");
  expect(noticeHint("roles_not_migrated")).toContain("a --mapping brings them by its metadata");
  const byRoles = await runCli([...validate, "--roles", "create"], { cwd });
  expect(byRoles.stdout).toContain("is_staff (1): told, roles_not_migrated");
  const after = await runCli([...validate, "--mapping", "own.yaml"], { cwd });
  expect(after.stdout).toContain("is_staff (1): metadata; carried");
  expect(after.stdout).not.toMatch(/^ {2}roles_not_migrated/m);
});
