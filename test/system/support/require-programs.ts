/** Says what is missing before the first system test, or which tests that leaves out, and installs nothing. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { postgresPrograms } from "../../../bench/frame/postgres-cluster.js";

/** The browser, as Debian's package puts it into the path. */
export const CHROMIUM = "/usr/bin/chromium";

/** PostgreSQL's aren't in the path of Debian's package. */
const INITDB = join(postgresPrograms() ?? "", "initdb");

/** What system tests need beside Node.js. */
interface Need {
  /** As a message says it. */
  readonly name: string;
  /** Debian's; null where no package would help. */
  readonly package: string | null;
  /** Can be started where it is there; where no package would help, it has to end with 0. */
  readonly check: readonly [program: string, ...args: readonly string[]];
  /** Patterns of the test files that can't do without. */
  readonly tests: readonly string[];
}

const TERMINAL_TESTS = ["completion", "prove", "screens", "serve", "setup"].map(testFile);
const SLURM_TESTS = [testFile("slurm")];

const NEEDS: readonly Need[] = [
  need("tmux", "tmux", TERMINAL_TESTS, "-V"),
  need("strace", "strace", ["crash-points", "stage", "vault-kill"].map(testFile), "-V"),
  need(CHROMIUM, "chromium", [testFile("report")], "--version"),
  need(INITDB, "postgresql", ["test/system/postgres/**", "test/system/databases/**"], "--version"),
  need("mariadbd", "mariadb-server", ["test/system/databases/**"], "--version"),
  need("slurmctld", "slurmctld", SLURM_TESTS, "-V"),
  need("slurmd", "slurmd", SLURM_TESTS, "-V"),
  need("sbatch", "slurm-client", SLURM_TESTS, "-V"),
  need("ip", "iproute2", SLURM_TESTS, "-V"),
  {
    name: "root's right to namespaces (unshare)",
    package: null,
    check: ["unshare", "--mount", "--net", "--pid", "--uts", "--fork", "--mount-proc", "true"],
    tests: SLURM_TESTS,
  },
  {
    name: "root's right to mount (mount -t tmpfs)",
    package: null,
    check: ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
    tests: [testFile("stage")],
  },
];

/** Set to this, what can't run is left out, and told; without it, it is a failure. */
const LEAVE_OUT = process.env.AUTH_MIGRATE_SYSTEM_TESTS === "possible";

/** The patterns of the tests that are left out; a line on stderr says so for each need. */
export function leftOut(): string[] {
  if (!LEAVE_OUT) return [];
  return missing().flatMap(({ name, tests }) => {
    console.error(`!!! LEFT OUT: ${tests.join(", ")}, which can't do without ${name} !!!`);
    return tests;
  });
}

export function setup(): void {
  const lacking = LEAVE_OUT ? [] : missing();
  if (lacking.length === 0) return;
  const names = lacking.map(({ name }) => name).join(", ");
  const packages = lacking.flatMap((each) => each.package ?? []).join(" ");
  throw new Error(
    `The system tests need ${names}, and can't run without. On Debian: apt-get install ${packages}. AUTH_MIGRATE_SYSTEM_TESTS=possible runs those that need none of it.`,
  );
}

function need(
  name: string,
  debianPackage: string,
  tests: readonly string[],
  ...args: readonly string[]
): Need {
  return { name, package: debianPackage, check: [name, ...args], tests };
}

function testFile(name: string): string {
  return `test/system/${name}.test.ts`;
}

function missing(): readonly Need[] {
  // Daemons are where a user's own path may not look.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  return NEEDS.filter((each) => {
    const [program, ...args] = each.check;
    const { error, status } = spawnSync(program, args, { env });
    return error !== undefined || (each.package === null && status !== 0);
  });
}
