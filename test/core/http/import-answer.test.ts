import fc from "fast-check";
import { expect, it } from "vitest";
import type { ImportOutcome } from "../../../src/core/core.js";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { importOutcome, outcomeBySchema } from "../../../src/core/http/import-answer.js";
import type { JsonAnswer } from "../../../src/core/http/transport.js";
import { runs } from "../../support/repeated.js";

const USER_ID = "0f3b1c52-7a1e-4c1e-9d0a-1f6f3a1b2c3d";
const EMAIL = "grace.okafor@example.com";

/** What one says of an answer, and nothing of where it was decided. */
function said(
  read: (answer: JsonAnswer) => ImportOutcome,
  text: string,
): ImportOutcome | readonly [string, string] {
  try {
    return read({ status: 200, body: JSON.parse(text) });
  } catch (error) {
    if (error instanceof CoreFailure) return [error.kind, error.message];
    throw error;
  }
}

const oddities = fc.constantFrom(
  ...["null", "true", '""', '"text"', "0", "1e999", "[]", "{}", `["${EMAIL}"]`, "[7]"],
);
const usual = <T>(value: T) =>
  fc.option(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(JSON.stringify(value)) },
      { weight: 1, arbitrary: oddities },
    ),
    { freq: 8 },
  );

/** JSON text, since it has numbers that `JSON.stringify` wouldn't write. */
function objectText(fields: Readonly<Record<string, string | null>>): string {
  const there = Object.entries(fields).filter(([, value]) => value !== null);
  return `{${there.map(([name, value]) => `"${name}":${value}`).join(",")}}`;
}

const users = fc
  .record({
    userId: usual(USER_ID),
    id: usual(USER_ID),
    email: usual(EMAIL),
    emails: usual([EMAIL]),
    phoneNumber: fc.option(oddities, { freq: 2 }),
    phoneNumbers: usual([]),
    timeJoined: usual(1_700_000_000_000),
    loginMethods: usual([{ recipeId: "emailpassword", recipeUserId: USER_ID }]),
  })
  .map(objectText);

const answers = fc
  .record({
    status: usual("OK"),
    didUserAlreadyExist: usual(false),
    user: fc.oneof({ weight: 9, arbitrary: users }, { weight: 1, arbitrary: oddities }),
  })
  .map(objectText);

it("reads every answer as its schema does, whatever is in it", () => {
  fc.assert(
    fc.property(answers, (text) => {
      expect(said(importOutcome, text)).toEqual(said(outcomeBySchema, text));
    }),
    { numRuns: runs(3000) },
  );
});

it.each([
  [
    "interface.md shows it",
    { user: { userId: USER_ID, email: EMAIL }, didUserAlreadyExist: false },
  ],
  [
    "SuperTokens writes it",
    {
      user: {
        ...{ id: USER_ID, userId: USER_ID, email: EMAIL, timeJoined: 1_700_000_000_000 },
        ...{ emails: [EMAIL], phoneNumbers: [], loginMethods: [] },
      },
      didUserAlreadyExist: true,
    },
  ],
])("takes the user out of an answer as %s", (_, fields) => {
  const { user, didUserAlreadyExist } = importOutcome({
    status: 200,
    body: { status: "OK", ...fields },
  });
  expect(user).toMatchObject({ userId: USER_ID, email: EMAIL, recipe: "emailpassword" });
  expect(didUserAlreadyExist).toBe(fields.didUserAlreadyExist);
});
