import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CliOptions, runCli, startServe } from "../support/cli.js";
import { isRoot, programForAll } from "../support/other-user.js";
import { expectFailure, workFolders, writeInto } from "../cli/support.js";

const workFolder = workFolders();
const OWNER = 65_533;
const STRANGER = 65_532;
const OPEN = 0o777;

/** Says which of the files named to it another user can read. */
const READ = `
  process.setgroups([]); process.setgid(${STRANGER}); process.setuid(${STRANGER});
  const { readFileSync } = require("node:fs");
  const isRead = (name) => { try { readFileSync(name); return true } catch { return false } };
  console.log(JSON.stringify(process.argv.slice(1).filter(isRead)));
`;

// Left out where the tests aren't root's: no other user may become two.
describe
  .skipIf(!isRoot)
  .concurrent("two users in a folder where everybody may write, with umask 000", () => {
    let program = "";
    beforeAll(() => {
      program = programForAll(workFolder);
      chmodSync(program, 0o755);
    });

    function sharedFolder(): { readonly cwd: string } & Record<"owner" | "stranger", CliOptions> {
      const cwd = workFolder();
      chmodSync(dirname(cwd), 0o755);
      chmodSync(cwd, OPEN);
      const bin = join(program, "bin/auth-migrate.js");
      const as = (uid: number): CliOptions => ({ cwd, uid, umask: 0, bin, env: { HOME: cwd } });
      return { cwd, owner: as(OWNER), stranger: as(STRANGER) };
    }

    const demo = (name: string): string => join(program, "fixtures/demo", name);
    const importDemo = (): string[] => [
      ...["import", demo("users-with-problems.csv"), "--hash-config", demo("hash-config.txt")],
      ...["--rejects-out", "rejects.csv"],
    ];

    function readByStranger(files: readonly string[]): unknown {
      const args = ["-e", READ, "--", ...files];
      return JSON.parse(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout);
    }

    it("write nothing that the other one can read, also while a core runs", async () => {
      const { cwd, owner, stranger } = sharedFolder();
      for (const args of [
        importDemo(),
        ["report", "--output", "report.csv", "--format", "csv", "--with-ids"],
        ["report", "--id-map", "--output", "ids.csv"],
        ["split", demo("users.csv"), "--shards", "2", "--out-dir", "parts"],
      ]) {
        const { code, stderr } = await runCli(args, owner);
        expect([0, 65], stderr).toContain(code);
      }
      const core = await startServe(owner);
      const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((each) =>
        each.isFile(),
      );
      expect(files.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          "auth-core.db",
          "auth-core.db-wal",
          "auth-migrate.checkpoint",
          "rejects.csv",
          "report.csv",
          "ids.csv",
          "manifest.json",
        ]),
      );
      for (const { parentPath, name } of files) {
        const { mode, uid } = statSync(join(parentPath, name));
        expect([name, mode & 0o077, uid]).toEqual([name, 0, OWNER]);
      }
      const open = writeInto(cwd, "open.txt", "");
      const paths = files.map(({ parentPath, name }) => join(parentPath, name));
      expect(readByStranger([...paths, join(cwd, open)])).toEqual([join(cwd, open)]);
      await core.stop();
      await expectFailure(importDemo(), stranger, {
        code: "file_not_private",
        says: /belongs to another user \(uid 65533\)/,
        next: /folder of your own.*--checkpoint or --data/,
      });
    });

    it.each(["auth-core.db", "auth-migrate.checkpoint-journal", "auth-migrate.checkpoint.lock"])(
      "don't get the other one's users by a file that lies there first: %s",
      async (name) => {
        const { cwd, owner } = sharedFolder();
        const planted = join(cwd, name);
        writeFileSync(planted, "");
        chmodSync(planted, 0o666);

        chownSync(planted, STRANGER, STRANGER);
        await expectFailure(importDemo(), owner, {
          code: "file_not_private",
          says: new RegExp(`${name} belongs to another user \\(uid ${STRANGER}\\)`),
          next: /run as the user who owns it/,
        });
        const { stderr } = await runCli(importDemo(), owner);
        expect(stderr).not.toContain("From now on it is its owner's alone");
        expect(readFileSync(planted, "utf8")).toBe("");
      },
    );

    it.each([
      [
        "auth-migrate.config.json",
        '{"core": "http://127.0.0.1:9", "onExisting": "update"}',
        "--config",
      ],
      ["auth-core.yaml", "data: postgres://stranger@127.0.0.1/theirs\n", "--core-config"],
    ])(
      "aren't sent elsewhere by the other one's configuration: %s",
      async (name, content, option) => {
        const { cwd, owner } = sharedFolder();

        chownSync(join(cwd, writeInto(cwd, name, content)), STRANGER, STRANGER);
        await expectFailure(importDemo(), owner, {
          code: "config_invalid",
          says: /belongs to another user \(uid 65532\), and no option names it/,
          next: new RegExp(`name it: ${option} ${name}`),
        });
        expect(existsSync(join(cwd, "auth-core.db"))).toBe(false);
      },
    );
  });
