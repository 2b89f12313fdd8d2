import { writeFileSync } from "node:fs";
import { join } from "node:path";
import EmailPassword from "supertokens-node/recipe/emailpassword";
import Session from "supertokens-node/recipe/session";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANSWERS } from "../hash/legacy/support/known-answers.js";
import { runCli, serveHere, startCli } from "../support/cli.js";
import { repeated } from "../support/repeated.js";
import { CLIENT, cognitoExport, SECRET, startVendor } from "../bridge/upstream/stand-ins.js";
import { startClient } from "./official-client.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();
const BRIDGE_KEY = "bridge-key-of-the-application";
const VAULT = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
const KNOWN = ["django_pbkdf2_sha256", "keycloak_pbkdf2_sha256"].flatMap((name) =>
  ANSWERS.filter(({ format }) => format === name).slice(0, 2),
);
const COUNT = repeated({ variable: "AUTH_MIGRATE_BRIDGED_USERS", few: KNOWN.length, full: 200 });
const PEOPLE = Array.from({ length: COUNT }, (_, n) => ({
  ...KNOWN[n % KNOWN.length]!,
  email: `user.${n}@example.com`,
}));
/** Their export has no hash: Cognito is asked. */
const ASKED = Array.from({ length: COUNT / KNOWN.length }, (_, n) => ({
  email: `asked.${n}@example.com`,
  password: `pässwörd of ${n}`,
}));
const ALL = [...PEOPLE, ...ASKED];

describe("an application that asks the bridge where the core says wrong credentials", () => {
  let url = "";
  let coreUrl = "";
  let coreKey = "";
  let calls = 0;
  const ends: (() => Promise<unknown>)[] = [];
  const signIn = async (email: string, password: string): Promise<string> =>
    (await EmailPassword.signIn("public", email, password)).status;

  beforeAll(async () => {
    const cwd = workFolder();
    const rows = PEOPLE.map(({ email, hash, credential }, n) => {
      const text = hash ?? JSON.stringify(credential);
      return `u-${n},${email},"${text.replaceAll('"', '""')}"`;
    });
    writeFileSync(join(cwd, "users.csv"), ["id,email,password_hash", ...rows].join("\n"));
    await runCli(["bridge", "--new-key", "vault.key"], { cwd });
    const core = await serveHere({ cwd });
    ends.push(() => core.stop());
    coreUrl = core.url;
    coreKey = core.apiKey;
    writeFileSync(join(cwd, "core.key"), core.apiKey);
    writeFileSync(join(cwd, "bridge.key"), BRIDGE_KEY);
    const target = ["--core", core.url, "--api-key-file", "core.key"];
    const how = ["--no-input", "--on-unusable-hash", "bridge", ...VAULT, ...target];
    const imported = await runCli(["import", "users.csv", ...how], { cwd });
    expect(imported.code, imported.stderr).toBe(0);
    writeFileSync(join(cwd, "cognito.json"), cognitoExport(ASKED.map(({ email }) => email)));
    const more = await runCli(["import", "cognito.json", "--upstream", "cognito", ...how], { cwd });
    expect(more.code, more.stderr).toBe(0);
    const vendor = await startVendor("cognito", (email, password) => {
      const user = ASKED.find((one) => one.email === email);
      if (user === undefined) return "unknown";
      return user.password === password ? "right" : "wrong";
    });
    ends.push(vendor.close);
    writeFileSync(join(cwd, "client.secret"), SECRET);
    const client = ["--upstream-client", CLIENT, "--upstream-secret-file", "client.secret"];
    const asking = ["--upstream", "cognito", "--upstream-url", vendor.upstream.url, ...client];
    const served = [...VAULT, ...target, "--bridge-key-file", "bridge.key"];
    const bridge = startCli(["bridge", ...served, ...asking, "--port", "0", "--json"], { cwd });
    ends.unshift(async () => {
      bridge.kill("SIGTERM");
      await bridge.ended;
    });
    ({ url } = JSON.parse(await bridge.firstLine()) as { url: string });
    startClient(core.url, core.apiKey, [
      EmailPassword.init({
        override: {
          functions: (original) => ({
            ...original,
            async verifyCredentials(input) {
              const said = await original.verifyCredentials(input);
              if (said.status === "OK") return said;
              calls += 1;
              const { email, password } = input;
              const response = await fetch(`${url}/verify`, {
                method: "POST",
                headers: { "api-key": BRIDGE_KEY },
                body: JSON.stringify({ email, password }),
              });
              // Whether the password is right isn't known: the user is to come again.
              if (!response.ok) throw new Error(`the bridge answered ${response.status}`);
              const { status } = (await response.json()) as { status: string };
              return status === "OK" ? original.verifyCredentials(input) : said;
            },
          }),
        },
      }),
      Session.init(),
    ]);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  it(
    "lets every user in by their old password alone, and asks once",
    async () => {
      const seen: Record<string, number> = {};
      const note = (what: string): void => {
        seen[what] = (seen[what] ?? 0) + 1;
      };
      const left = ALL.values();
      const comeAndGo = async (): Promise<void> => {
        for (const { email, password } of left) {
          note(`guessed ${await signIn(email, `!${password}`)}`);
          note(`right ${await signIn(email, password)}`);
          note(`again ${await signIn(email, password)}`);
        }
      };
      await Promise.all([comeAndGo(), comeAndGo(), comeAndGo(), comeAndGo()]);
      expect(seen).toEqual({
        "guessed WRONG_CREDENTIALS_ERROR": ALL.length,
        "right OK": ALL.length,
        "again OK": ALL.length,
      });
      expect(calls).toBe(2 * ALL.length);
    },
    60_000 + ALL.length * 1000,
  );

  // docs/core/README.md: the functions work at `serve`, and the SDK's own routes ask for these.
  it.each([
    ["GET", "/recipe/multitenancy/tenant/v2"],
    ["POST", "/recipe/session"],
  ])("has no %s %s at the embedded core, which the SDK's route asks", async (method, path) => {
    const headers = { "api-key": coreKey, rid: "emailpassword" };
    const { status } = await fetch(coreUrl + path, { method, headers });
    expect(status).toBe(404);
  });

  it("leaves no user in the vault", async () => {
    const response = await fetch(`${url}/metrics`, { headers: { "api-key": BRIDGE_KEY } });
    expect(await response.text()).toContain("users_left 0\n");
  });
});
