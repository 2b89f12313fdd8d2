/** Peak memory of `validate` and `import` over exports of two sizes, as the kernel accounts it: `node bench/memory.js [small] [large]`. Needs Linux. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeCsv } from "./users.js";

const cli = fileURLToPath(new URL("../bin/auth-migrate.js", import.meta.url));
const [small = 100_000, large = 1_000_000] = process.argv.slice(2).map(Number);
const directory = mkdtempSync(join(tmpdir(), "auth-migrate-memory-"));

/** The process's high-water mark in MB, read once a second and so at most a second old. */
async function peak(...parameters) {
  const child = spawn(process.execPath, [cli, ...parameters, "--quiet"], { stdio: "ignore" });
  let kilobytes = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    kilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? kilobytes);
  }, 250);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`exit ${code}`);
  return (kilobytes * 1024) / 1e6;
}

try {
  const rows = [];
  for (const users of [small, large]) {
    const csv = join(directory, `${users}.csv`);
    await writeCsv(csv, users);
    const files = ["--data", "core.db", "--checkpoint", "checkpoint"].map((word, index) =>
      index % 2 === 0 ? word : join(directory, `${users}-${word}`),
    );
    rows.push({
      users,
      validate: await peak("validate", csv),
      import: await peak("import", csv, ...files),
    });
  }
  for (const { users, validate, import: imported } of rows) {
    console.log(
      `${users} users: validate ${validate.toFixed(0)} MB, import ${imported.toFixed(0)} MB`,
    );
  }
  const [first, last] = rows;
  for (const command of ["validate", "import"]) {
    const growth = (last[command] / first[command] - 1) * 100;
    console.log(`${command}: ${growth.toFixed(1)} % more for ${large / small} times the users`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
