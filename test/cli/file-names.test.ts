import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runHere } from "../support/cli-here.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

it("a file's name can't write to the screen, in whatever is said of the file", async () => {
  const folder = newPath("unpacked");
  mkdirSync(folder);
  const name = "a\u001b]0;title\u0007\u001b[2J\u202egpj.csv";
  const row = "1,ada@example.com,$2a$10$cut,yes";
  writeFileSync(join(folder, name), `id,email,password_hash,nickname\n${row}\n${row}\n`);
  for (const args of [
    ["validate", folder],
    [
      "import",
      folder,
      "--data",
      newPath("core.db"),
      "--checkpoint",
      newPath("checkpoint"),
      "--yes",
    ],
  ]) {
    const run = await runHere(args, {
      cwd: newPath("unpacked").replace(/[^/]+$/, ""),
      env: { NO_COLOR: "1" },
    });
    expect(run.stdout + run.stderr).toContain("\\u{1b}]0;title");
    expect(run.stdout + run.stderr).not.toMatch(RAW);
  }
});
