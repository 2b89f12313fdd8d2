import { userInfo } from "node:os";
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { databaseOf, hasPassword, withoutPassword } from "../../src/cli/database.js";
import { RunError } from "../../src/errors/run-error.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
const NO_FILE = { PGPASSFILE: "/nowhere/pgpass" };

function read(url: string, env: NodeJS.ProcessEnv = {}) {
  const notes: string[] = [];
  return databaseOf(url, "--data", (line) => notes.push(line), { ...NO_FILE, ...env });
}

it("a URL says where the database is and who logs in", () => {
  expect(read("postgres://auth_core@db.internal:6432/auth")).toEqual({
    ...{ host: "db.internal", port: 6432, database: "auth", user: "auth_core", password: null },
    tls: { ca: undefined, cert: undefined, key: undefined },
  });
  expect(read("postgresql://localhost/auth")).toMatchObject({
    ...{ host: "localhost", port: 5432, user: userInfo().username, tls: null },
  });
  expect(read("postgres://[::1]:5433/auth", { PGUSER: "ana" })).toMatchObject({
    ...{ host: "::1", port: 5433, user: "ana", tls: null },
  });
  expect(read("postgres://a%40b@127.0.0.1/my%20auth")).toMatchObject({
    ...{ user: "a@b", database: "my auth" },
  });
});

it.each([
  "postgres://auth_core@/auth?host=/var/run/postgresql",
  "postgres:///auth?host=/var/run/postgresql&port=5432",
  "postgres://auth_core@/auth?host=%2Fvar%2Frun%2Fpostgresql",
])("a socket is named by its folder: %s", (url) => {
  expect(read(url)).toMatchObject({
    ...{ host: "/var/run/postgresql", port: 5432, database: "auth", tls: null },
  });
});

it("the password is the URL's, else the environment's, else the password file's", () => {
  const file = path("pgpass");
  writeFileSync(file, "127.0.0.1:5432:auth:ana:from-the-file\n", { mode: 0o600 });
  const env = { PGPASSWORD: "from-the-variable", PGPASSFILE: file };
  expect(read("postgres://ana:from-the%3Aurl@127.0.0.1/auth", env).password).toBe("from-the:url");
  expect(read("postgres://ana@127.0.0.1/auth?password=asked", env).password).toBe("asked");
  expect(read("postgres://ana@127.0.0.1/auth", env).password).toBe("from-the-variable");
  expect(read("postgres://ana@127.0.0.1/auth", { PGPASSFILE: file }).password).toBe(
    "from-the-file",
  );
  expect(read("postgres://ben@127.0.0.1/auth", { PGPASSFILE: file }).password).toBeNull();
});

it("TLS is verified to other machines, and to this one where it is asked for", () => {
  const file = path("ca.pem");
  writeFileSync(file, "a certificate");
  const tlsOf = (url: string) => read(url).tls;
  expect(tlsOf("postgres://ana@db.internal/auth")).not.toBeNull();
  expect(tlsOf("postgres://ana@db.internal/auth?sslmode=disable")).toBeNull();
  expect(tlsOf("postgres://ana@127.0.0.1/auth?sslmode=require")).not.toBeNull();
  expect(tlsOf(`postgres://ana@127.0.0.1/auth?sslrootcert=${file}`)).toMatchObject({
    ca: "a certificate",
  });
});

it("MySQL's TLS goes by its own names as well", () => {
  const file = path("ca.pem");
  writeFileSync(file, "a certificate");
  const tlsOf = (query: string) =>
    databaseOf(`mysql://ana@127.0.0.1/app?${query}`, "argv", () => {}, {}, { system: "mysql" }).tls;
  expect(tlsOf("ssl-mode=disabled")).toBeNull();
  expect(tlsOf("ssl-mode=VERIFY_CA")).not.toBeNull();
  expect(tlsOf(`ssl-mode=VERIFY_IDENTITY&ssl-ca=${file}`)).toMatchObject({ ca: "a certificate" });
  expect(() => tlsOf("ssl-mode=PREFERRED")).toThrow("sslmode");
  expect(() => read("postgres://ana@127.0.0.1/auth?ssl-ca=/x")).toThrow("parameter");
});

it.each([
  ["mysql://ana:canary@db/auth", "doesn't begin with postgres://"],
  ["postgres://ana:canary@db:port/auth", "is no URL"],
  ["postgres://ana:canary@db", "names no database"],
  ["postgres://ana:canary@/auth", "names no host"],
  ["postgres://ana:canary@db/auth?sslmode=prefer", "sslmode"],
  ["postgres://ana:canary@db/auth?sslmode=no-verify", "sslmode"],
  ["postgres://ana:canary@db/auth?sslmod=require", "a parameter that isn't one of"],
  ["postgres://ana:canary@db/auth?port=99999", "has no port"],
  ["postgres://ana:canary@db/auth?sslrootcert=/nowhere.pem", "there is no such file"],
  ["postgres://ana:canary@db/auth?sslmode=disable&sslrootcert=/x", "switches TLS off"],
])("what can't be used is refused without being repeated: %s", (url, flaw) => {
  const refused = (): unknown => {
    try {
      return read(url);
    } catch (error) {
      return error;
    }
  };
  const error = refused();
  expect(error).toBeInstanceOf(RunError);
  expect(error).toMatchObject({ code: "config_invalid" });
  expect(String(error)).toContain(flaw);
  expect(String(error)).not.toContain("canary");
});

it("a password in a URL is seen, and taken out", () => {
  const plain = ["postgres://ana@db:5432/auth", "postgres:///auth?host=/run", "postgres://db/auth"];
  for (const url of plain) {
    expect(hasPassword(url)).toBe(false);
    expect(withoutPassword(url)).toBe(url);
  }
  expect(hasPassword("postgres://ana:moss@db/auth")).toBe(true);
  expect(withoutPassword("postgres://ana:moss@db/auth")).toBe("postgres://ana@db/auth");
  expect(hasPassword("postgres://ana@db/auth?password=moss&sslmode=require")).toBe(true);
  expect(withoutPassword("postgres://ana@db/auth?password=moss&sslmode=require")).toBe(
    "postgres://ana@db/auth?sslmode=require",
  );
});
