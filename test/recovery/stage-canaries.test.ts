import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../src/core/http/server.js";
import { startCli } from "../support/cli.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Aviary, newAviary } from "./canaries/canary.js";
import { peopleOf } from "./canaries/people.js";

const newPath = temporaryPaths();
const API_KEY = "key-of-a-core-that-is-slow";

/** A user of each kind, of whom everything is a canary: hash, contacts, id, social id, second factor, metadata. */
function exportsOf(aviary: Aviary): Readonly<Record<string, string>> {
  const next = peopleOf(aviary);
  const idOf = (name: string): string =>
    aviary.keep(`the id of ${name}`, `Kranich-${name}-Nest-Ost`);
  const [ann, bob, cleo, dan] = [next(), next(), next(), next()];
  const row = (...cells: string[]): string => `${cells.join(",")}\n`;
  const social = aviary.keep("a social id", "104729-Eisvogel-104729");
  const claims = aviary.keep("a claim", "Bergfink im Verein seit 1989");
  return {
    "users.csv": [
      row("id", "email", "email_verified", "phone", "password_hash", "name", "totp_secret"),
      row(idOf("Ann"), ann.email, "true", "", ann.bcrypt, ann.name, ann.totp),
      row(idOf("Bob"), bob.email, "true", "", bob.argon2, bob.name, ""),
      row(idOf("Cleo"), "", "", cleo.phone, "", cleo.name, ""),
      // Those are rejected: one of the same contact, one whose hash is cut off.
      row(idOf("Dora"), ann.email, "true", "", dan.bcrypt, "", ""),
      row(idOf("Emil"), dan.email, "true", "", dan.bcrypt.slice(0, -4), dan.name, ""),
    ].join(""),
    "firebase.json": JSON.stringify({
      users: [
        {
          localId: idOf("Finn"),
          displayName: next().name,
          customAttributes: JSON.stringify({ club: claims }),
          email: dan.email,
          emailVerified: true,
          providerUserInfo: [{ providerId: "google.com", rawId: social, email: dan.email }],
        },
      ],
    }),
  };
}

/** What the process has open or mapped and no folder shows. */
function namelessBytes(pid: number, folder: string): Buffer[] {
  const of = `/proc/${pid}`;
  const isOurs = (name: string): boolean => name.startsWith(folder) && name.endsWith(" (deleted)");
  const open = readdirSync(`${of}/fd`)
    .map((fd) => `${of}/fd/${fd}`)
    .filter((fd) => isOurs(readlinkSync(fd)));
  const mapped = readFileSync(`${of}/maps`, "utf8")
    .split("\n")
    .filter((line) => isOurs(line.split(/\s+/).slice(5).join(" ")))
    .map((line) => `${of}/map_files/${line.split(" ", 1)}`);
  return [...open, ...mapped].map((path) => readFileSync(path));
}

it.skipIf(process.platform !== "linux")(
  "the stage of a run that sends has no secret, contact or id in a file or in mapped memory",
  async () => {
    const folder = newPath("work");
    mkdirSync(folder);
    const aviary = newAviary();
    const files = exportsOf(aviary);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const embedded = openEmbeddedCore({ file: join(folder, "core.db") });
    let called = (): void => {};
    const calls = new Promise<void>((resolve) => {
      called = resolve;
    });
    let release = (): void => {};
    const held = new Promise<never>((_, reject) => {
      release = () => reject(new CoreFailure("busy", "it is closing", { reached: "no" }));
    });
    held.catch(() => {});
    const hang = (): Promise<never> => {
      called();
      return held;
    };
    const core: Core = { ...embedded, importUser: hang, importAccount: hang, createCode: hang };
    const where = { host: "127.0.0.1", port: 0, apiKeys: [API_KEY] };
    const server = await startCoreServer(core, where);
    const options = ["--rejects-out", "rejects", "--on-lost-factor", "accept", "--json"];
    const run = startCli(["import", ...Object.keys(files), "--core", server.url, ...options], {
      cwd: folder,
      env: { AUTH_MIGRATE_API_KEY: API_KEY, TMPDIR: folder },
    });
    await Promise.race([calls, run.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
    const nameless = namelessBytes(run.pid, folder);
    run.kill("SIGKILL");
    await run.ended;
    release();
    await server.close();
    await embedded.close();
    // What is looked at is there: of each row all that is sent, and its text.
    expect(Buffer.concat(nameless).length).toBeGreaterThan(files["users.csv"]?.length ?? 0);
    expect(nameless.flatMap((bytes) => aviary.found(bytes))).toEqual([]);
    expect(aviary.found(readFileSync(join(folder, "users.csv"))).length).toBeGreaterThan(10);
  },
);
