import { describe, expect, test } from "vitest";
import { compileExpression } from "../../src/source/expression.js";

const USER = {
  $id: "a1",
  profile: { email: "ann@example.com" },
  identities: [
    { signInType: "userName", issuerAssignedId: "ann" },
    { signInType: "emailAddress", issuerAssignedId: "ann@example.org" },
  ],
  groups: [{ roles: ["editor"] }, { roles: ["reader", "writer"] }],
  created: { $date: "2024-01-02T03:04:05Z" },
};

describe("an expression", () => {
  test.each([
    ["$id", "a1", ["$id"]],
    ["profile.email", "ann@example.com", ["profile.email"]],
    ["created", "2024-01-02T03:04:05Z", ["created"]],
    [
      "identities[?signInType==`emailAddress`]|[0].issuerAssignedId",
      "ann@example.org",
      ["identities[].signInType", "identities[].issuerAssignedId"],
    ],
    ["groups[].roles[]", ["editor", "reader", "writer"], ["groups[].roles[]"]],
    ["identities[1].issuerAssignedId", "ann@example.org", ["identities[].issuerAssignedId"]],
    ["nickname || profile.email", "ann@example.com", ["nickname", "profile.email"]],
    ["phone && join('', ['+', phone])", null, ["phone"]],
    ["keys(profile)", ["email"], ["profile"]],
    [
      "let $mail = profile.email in identities[?issuerAssignedId != $mail].signInType",
      ["userName", "emailAddress"],
      ["profile.email", "identities[].issuerAssignedId", "identities[].signInType"],
    ],
  ])("%s gives its value and the fields that it looks at", (text, value, fields) => {
    const { read, fields: found } = compileExpression(text);
    expect(read(USER)).toEqual(value);
    expect([...found].sort()).toEqual([...fields].sort());
  });

  test.each(["identities[", "a[?b==`", "(a + b)"])("%s is refused", (text) => {
    expect(() => compileExpression(text)).toThrow(
      expect.objectContaining({ code: "mapping_invalid" }),
    );
  });
});
