/** A PostgreSQL server of one's own, from the programs that are installed: made in a temporary folder, listening on loopback alone, gone at the end. Tests use it as well. Nothing of a server that is there already is touched. */

import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.js";

const run = promisify(execFile);
const DEBIAN = "/usr/lib/postgresql";
const SUPERUSER = "keeper";
/** Of a server that nobody else can reach and that lives for minutes. */
const PASSWORD = "lantern-orchard-7";

/** The folder of `initdb` and `pg_ctl`, the newest one; null where PostgreSQL isn't installed. */
export function postgresPrograms() {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).map(Number).filter(Number.isInteger)
    : [];
  const newest = versions.sort((a, b) => b - a).map((version) => join(DEBIAN, `${version}`, "bin"));
  const folders = [...newest, ...(process.env.PATH ?? "").split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** PostgreSQL refuses to run as root; Debian's packages make a user for it. */
async function runner() {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag) => Number((await run("id", [flag, "postgres"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

/**
 * Makes a server and starts it.
 *
 * @param settings further settings of the server, by name
 * @returns `port`, `user`, `password`, `folder` of its data; `start`, `stop` and `restart` as
 *   `pg_ctl` does them, in a mode of its; `configure` sets settings that hold from the next start;
 *   `remove` stops it and removes its files
 */
export async function startCluster(settings = {}) {
  const programs = postgresPrograms();
  if (programs === null) throw new Error("PostgreSQL isn't installed");
  const as = await runner();
  const home = mkdtempSync(join(tmpdir(), "auth-migrate-postgres-"));
  if (as.uid !== undefined) chownSync(home, as.uid, as.gid);
  chmodSync(home, 0o700);
  const folder = join(home, "data");
  const passwords = join(home, "password");
  writeFileSync(passwords, PASSWORD);
  if (as.uid !== undefined) chownSync(passwords, as.uid, as.gid);
  const options = {
    ...as,
    cwd: home,
    env: { PATH: `${programs}${delimiter}${process.env.PATH}`, LC_ALL: "C" },
  };
  const pgCtl = (...words) =>
    run(
      join(programs, "pg_ctl"),
      ["-D", folder, "-l", join(home, "log"), "-w", "-t", "60", ...words],
      options,
    );
  await run(
    join(programs, "initdb"),
    [
      ...["-D", folder, "-U", SUPERUSER, "-E", "UTF8", "--no-locale", "--no-sync"],
      ...["--auth-host", "scram-sha-256", "--auth-local", "trust", "--pwfile", passwords],
    ],
    options,
  );
  const port = await freePort();
  const configure = (more) => {
    const lines = Object.entries(more).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(join(folder, "postgresql.auto.conf"), lines.join(""), { flag: "a" });
  };
  configure({
    ...{ port, listen_addresses: "127.0.0.1", unix_socket_directories: home },
    ...settings,
  });
  const stop = async (mode = "fast") => {
    await pgCtl("stop", "-m", mode);
  };
  const start = async () => {
    await pgCtl("start");
  };
  await start();
  return {
    ...{ port, folder, home, user: SUPERUSER, password: PASSWORD, start, stop, configure },
    restart: async (mode = "fast") => {
      await pgCtl("restart", "-m", mode);
    },
    remove: async () => {
      await stop("immediate").catch(() => {});
      rmSync(home, { recursive: true, force: true });
    },
  };
}
