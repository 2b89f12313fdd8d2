import { expect, test } from "vitest";
import { detectSource } from "../../src/source/detect.js";
import { SOURCES } from "../../src/source/registry.js";
import { acme } from "./acme.js";
import { collect, PLAIN, pieces } from "./support.js";

const USERS = `{"acmeId":"a-1","mail":"ann@example.com","mailConfirmed":true,"suspended":false,"fullName":"Ann"}
{"acmeId":"a-2","mail":"bob@example.com","mailConfirmed":false,"suspended":"perhaps"}
{"acmeId":"a-3","mailConfirmed":false,"suspended":true}
`;

test("the vendor to which CONTRIBUTING leads is recognized beside all others, and reads its users", async () => {
  const head = { path: "users.ndjson", text: USERS, complete: true };
  expect(detectSource(head, [...SOURCES, acme]).source).toBe(acme);
  const items = await collect(acme.read("users.ndjson", pieces(Buffer.from(USERS), 30), PLAIN));
  expect(items).toMatchObject([
    { kind: "record", record: { sourceId: "a-1", notices: ["profile_not_migrated"] } },
    { kind: "reject", code: "row_malformed", hint: expect.stringContaining("suspended") },
    { kind: "record", record: { sourceId: "a-3", exclusions: ["disabled"] } },
  ]);
});
