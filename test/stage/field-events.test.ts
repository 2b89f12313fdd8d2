import { describe, expect, it } from "vitest";
import type { MigrationEvent } from "../../src/events/events.js";
import type { Policy } from "../../src/plan/policy.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { parseMapping } from "../../src/source/mapping/read-mapping.js";
import { openInputs } from "../../src/source/inputs.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { newMigration } from "../run/support/run.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;

async function eventsOf(
  name: string,
  text: string,
  tellsFields: boolean,
  policy: Partial<Policy> = {},
) {
  const file = newMigration(newPath).write(name, text);
  const events: MigrationEvent[] = [];
  const onEvent = (event: MigrationEvent): void => void events.push(event);
  await validateUsers({ inputs: await openInputs([file]), tellsFields, onEvent, policy });
  return events;
}

function user(fields: object): string {
  return JSON.stringify({ user_id: "auth0|a1", email: "ann@example.com", ...fields });
}

/** Of each field its path, rows and fate. */
function fieldsIn(events: readonly MigrationEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.type === "field"
      ? [[event.path, event.rows, event.fate, event.code ?? event.reason ?? event.is]]
      : [],
  );
}

describe("the fields of a file", () => {
  it("of a vendor's are told with their fates, unknown ones last, and never a value", async () => {
    const users = [
      user({ created_at: "2023-09-01T10:00:00Z", last_ip: "192.0.2.1", shoe_size: 41 }),
      user({ user_id: "auth0|b2", email: "bo@example.com", created_at: "2023-09-02T10:00:00Z" }),
    ];
    const events = await eventsOf("users.ndjson", users.join("\n"), true);
    expect(fieldsIn(events)).toEqual([
      ["user_id", 2, "read", "id"],
      ["email", 2, "read", "contact"],
      ["created_at", 2, "carried", "joined"],
      ["last_ip", 1, "meaningless", "Auth0's record of sign-ins"],
      ["shoe_size", 1, "told", "field_unknown"],
    ]);
    const findings = events.filter((event) => event.type === "finding");
    expect(findings).toMatchObject([
      { code: "bans_not_exported" },
      { code: "field_unknown", count: 1, rows: [] },
    ]);
    expect(JSON.stringify(events)).toContain('shoe_size\\" (number, 1 row)');
    expect(JSON.stringify(events)).not.toMatch(/192\.0\.2|: ?41\b|2023-09/);
  });

  it("of nobody's come with the mapping that was inferred, which holds no name that may be data", async () => {
    const users = [
      { email: "ann@example.com", banned: true, passwordHash: HASH, "bo@example.com": 1 },
    ];
    const events = await eventsOf("users.json", JSON.stringify(users), true);
    const texts = events.flatMap((event) =>
      event.type === "columns" ? [event.mapping ?? ""] : [],
    );
    expect(texts.map((text) => parseMapping("own.yaml", text))).toMatchObject([
      {
        name: "users",
        email: ["email"],
        hash: { value: ["passwordHash"] },
        flags: { banned: {} },
      },
    ]);
    expect(JSON.stringify(texts)).not.toMatch(/ann@|bo@/);
  });

  it("stay behind where their part isn't to be carried", async () => {
    const fields = {
      created_at: "2023-09-01T10:00:00Z",
      name: "Ann",
      username: "ann",
      multifactor: ["google-authenticator"],
      identities: [{ profileData: { locale: "en" } }],
    };
    const told = async (carry: Policy["carry"]) =>
      fieldsIn(await eventsOf("users.ndjson", user(fields), true, { carry })).slice(2);
    expect(await told(["metadata", "totp"])).toEqual([
      // The core has a place for metadata, and nothing takes this along.
      ["identities[].profileData", 1, "told", "fields_not_migrated"],
      ["multifactor", 1, "read", "factor"],
      ["created_at", 1, "told", "joined_not_migrated"],
      ["name", 1, "carried", "metadata"],
      ["username", 1, "carried", "username_not_migrated"],
    ]);
    expect(await told([])).toEqual([
      ["identities[].profileData", 1, "told", "profile_not_migrated"],
      ["multifactor", 1, "told", "mfa_not_migrated"],
      ["created_at", 1, "told", "joined_not_migrated"],
      ["name", 1, "told", "profile_not_migrated"],
      ["username", 1, "told", "username_not_migrated"],
    ]);
  });

  it("of anybody's making are its columns", async () => {
    const events = await eventsOf(
      "users.csv",
      `email,pw,city,note\nann@example.com,${HASH},Fresno,\n`,
      true,
    );
    expect(fieldsIn(events)).toEqual([
      ["email", 1, "read", "email"],
      ["pw", 1, "read", "hash"],
      ["city", 1, "told", "columns"],
    ]);
  });

  it("aren't told unless asked for", async () => {
    expect(fieldsIn(await eventsOf("users.ndjson", user({}), false))).toEqual([]);
  });
});
