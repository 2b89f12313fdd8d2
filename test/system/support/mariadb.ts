/** A MariaDB server of a test file's own, from the programs that are installed: in a temporary folder, on loopback alone, gone behind the tests. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll } from "vitest";
import { freePort } from "../../../bench/frame/free-port.js";
import { until } from "./until.js";

const run = promisify(execFile);
/** Of a server that nobody else can reach and that lives for minutes. */
export const PASSWORD = "lantern-orchard-7";

/** It refuses to run as root; Debian's package makes a user for it. */
async function runner(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await run("id", [flag, "mysql"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

/** A server from the first test on. */
export interface MariadbServer {
  readonly port: number;
  /** Its own files are here: its data, its logs. */
  readonly home: string;
  /** Runs statements as the server's keeper, one after the other. */
  run(sql: string, database?: string): Promise<unknown>;
  /** Kills it and starts it again, with further words on its command line from then on. */
  restart(...more: readonly string[]): Promise<void>;
}

/** @param words further ones of its command line */
export function mariadbServer(...words: readonly string[]): MariadbServer {
  const home = mkdtempSync(join(tmpdir(), "auth-migrate-mariadb-"));
  const [data, socket] = [join(home, "data"), join(home, "socket")];
  const given = [...words];
  let [port, child]: [number, ChildProcess | null] = [0, null];
  const start = async (): Promise<void> => {
    child = spawn(
      "mariadbd",
      [
        ...["--no-defaults", `--datadir=${data}`, `--socket=${socket}`, `--port=${port}`],
        ...["--bind-address=127.0.0.1", `--pid-file=${join(home, "pid")}`, "--sql-mode="],
        ...given,
      ],
      {
        ...(await runner()),
        cwd: home,
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
        stdio: "ignore",
      },
    );
    await until("MariaDB answers", async () => {
      const root = await createConnection({ socketPath: socket, user: "root" }).catch(() => null);
      await root?.end();
      return root === null ? null : true;
    });
  };
  const statements = async (sql: string, database?: string): Promise<unknown> => {
    const login = { host: "127.0.0.1", port, user: "keeper", password: PASSWORD };
    const connection = await createConnection({
      ...login,
      ...(database === undefined ? {} : { database }),
      multipleStatements: true,
    });
    try {
      return (await connection.query({ sql, rowsAsArray: true }))[0];
    } finally {
      await connection.end();
    }
  };
  beforeAll(async () => {
    const as = await runner();
    if (as.uid !== undefined) chownSync(home, as.uid, as.gid ?? as.uid);
    await run(
      "mariadb-install-db",
      ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal"],
      { ...as, cwd: home },
    );
    port = await freePort();
    await start();
    const root = await createConnection({ socketPath: socket, user: "root" });
    await root.query(
      `GRANT ALL ON *.* TO keeper@'127.0.0.1' IDENTIFIED BY '${PASSWORD}' WITH GRANT OPTION`,
    );
    await root.end();
  });
  afterAll(() => {
    child?.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });
  return {
    get port() {
      return port;
    },
    home,
    run: statements,
    async restart(...more) {
      given.push(...more);
      const ended = child === null ? null : once(child, "exit");
      child?.kill("SIGKILL");
      await ended;
      await start();
    },
  };
}
