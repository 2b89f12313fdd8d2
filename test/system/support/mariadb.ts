/** A MariaDB server of a test file's own, from the programs that are installed: in a temporary folder, on loopback alone, gone behind the tests. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
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
  /** Runs statements as the server's keeper, one after the other. */
  run(sql: string, database?: string): Promise<unknown>;
  /** Ends it at once. */
  kill(): void;
}

export function mariadbServer(): MariadbServer {
  const home = mkdtempSync(join(tmpdir(), "auth-migrate-mariadb-"));
  let [port, child]: [number, ChildProcess | null] = [0, null];
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
    const data = join(home, "data");
    await run(
      "mariadb-install-db",
      ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal"],
      { ...as, cwd: home },
    );
    port = await freePort();
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
    const socket = join(home, "socket");
    child = spawn(
      "mariadbd",
      [
        ...["--no-defaults", `--datadir=${data}`, `--socket=${socket}`, `--port=${port}`],
        ...["--bind-address=127.0.0.1", `--pid-file=${join(home, "pid")}`, "--sql-mode="],
      ],
      { ...as, cwd: home, env, stdio: "ignore" },
    );
    await until("MariaDB answers", async () => {
      const root = await createConnection({ socketPath: socket, user: "root" }).catch(() => null);
      if (root === null) return null;
      await root.query(`GRANT ALL ON *.* TO keeper@'127.0.0.1' IDENTIFIED BY '${PASSWORD}'`);
      await root.end();
      return true;
    });
  });
  afterAll(() => {
    child?.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });
  return {
    get port() {
      return port;
    },
    run: statements,
    kill: () => void child?.kill("SIGKILL"),
  };
}
