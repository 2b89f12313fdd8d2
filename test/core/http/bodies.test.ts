import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawConnection } from "../../support/raw-connection.js";
import { sendBytes } from "./send-request.js";
import { CODE, CONSUME, IMPORT, KEY, MAP, serveCore, UPDATE } from "./served-core.js";
import { runs } from "../../support/repeated.js";

const { ask, url } = await serveCore();
const RID = { "api-key": KEY, rid: "passwordless" };

/** A body with lists in lists, so deep. */
const nested = (levels: number): string =>
  `{"email":"bea@example.com","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

describe("a body", () => {
  it.each([
    ["an empty one", ""],
    ["half of one", '{"email":'],
    ["one with something behind it", '{"email":"ana@example.com"} x'],
    ["a list", "[]"],
    ["a text", '"email"'],
    ["null", "null"],
    ["a number", "7"],
    ["single quotes", "{'email':'ana@example.com'}"],
    ["names without quotes", '{email:"ana@example.com"}'],
    ["a comment", '{"email":"ana@example.com"/* ana */}'],
    ["deep nesting", "[".repeat(30_000)],
    ["nesting of 501 levels where nobody looks", nested(501)],
    ["UTF-16", Buffer.from('{"email":"ana@example.com"}', "utf16le")],
    ["bytes that aren't UTF-8", Buffer.from('{"email":"\xff@example.com"}', "latin1")],
    ["a surrogate encoded as UTF-8", Buffer.from('{"email":"\xed\xa0\x80@example.com"}', "latin1")],
  ])("is refused as %s", async (_, body) => {
    const { status, json, headers } = await ask("POST", CODE, body);
    expect(status).toBe(400);
    expect(json.message).toContain("JSON");
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  it("is missed where there is none", async () => {
    expect((await ask("POST", CODE)).status).toBe(400);
  });

  it.each([
    ["a byte-order mark before it", '\ufeff{"email":"bea@example.com"}'],
    ["white space around it", '\r\n\t {"email":"bea@example.com"}\n'],
    [
      "unknown fields",
      '{"email":"bea@example.com","shouldTryLinkingWithSessionUser":false,"x":[{}]}',
    ],
    [
      "fields named like parts of an object",
      '{"email":"bea@example.com","__proto__":{"phoneNumber":1},"constructor":null}',
    ],
    ["a field twice, of which the last counts", '{"email":1,"email":"bea@example.com"}'],
    ["nesting of 499 levels where nobody looks", nested(499)],
    ["escapes for what needs none", '{"\\u0065mail":"bea\\u0040example.com"}'],
  ])("is taken with %s", async (_, body) => {
    expect((await ask("POST", CODE, body)).status).toBe(200);
  });

  it("gives nothing to a field by way of __proto__", async () => {
    const { status } = await ask("POST", CODE, '{"__proto__":{"email":"bea@example.com"}}');
    expect(status).toBe(400);
  });

  it.each([
    [{}],
    [{ "content-type": "text/plain" }],
    [{ "content-type": "application/x-www-form-urlencoded" }],
    [{ "content-type": "application/json; charset=latin1" }],
    [{ "content-type": ";;" }],
    [{ "content-encoding": "identity" }],
  ])("is taken whatever type it is said to be (%#)", async (headers) => {
    const sent = { "api-key": KEY, ...headers };
    expect((await ask("POST", CODE, { email: "cem@example.com" }, sent)).status).toBe(200);
  });

  it.each(["gzip", "br", "deflate, gzip", "x"])(
    "is refused in the encoding %s",
    async (encoding) => {
      const headers = { "api-key": KEY, "content-encoding": encoding };
      const { status, json } = await ask("POST", CODE, { email: "cem@example.com" }, headers);
      expect(status).toBe(415);
      expect(json.message).toContain("content-encoding");
    },
  );

  it("may be 64 KiB long and not a byte more", async () => {
    const filled = (size: number) => {
      const start = '{"email":"cleo@example.com","filler":"';
      return `${start}${"x".repeat(size - start.length - 2)}"}`;
    };
    expect((await ask("POST", CODE, filled(65_536))).status).toBe(200);
    const { status, json } = await ask("POST", CODE, filled(65_537));
    expect(status).toBe(413);
    expect(json.message).toContain("65536");
  });

  it("is told to be too large by its announced length, before it comes", async () => {
    const head = `POST ${CODE} HTTP/1.1\r\nhost: a\r\napi-key: ${KEY}\r\n`;
    const connection = await rawConnection(url);
    await connection.send(`${head}content-length: 65537\r\n\r\n`);
    expect(await connection.until("65536")).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("of many megabytes is told to be too large, and nobody has to send it all", async () => {
    const response = await fetch(url + CODE, {
      method: "POST",
      headers: { "api-key": KEY },
      body: "x".repeat(8_000_000),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: expect.stringContaining("65536") });
  });

  it("is measured where its length isn't given", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let part = 0; part < 80; part += 1) controller.enqueue(Buffer.alloc(1024, 120));
        controller.close();
      },
    });
    const init = { method: "POST", headers: { "api-key": KEY }, body, duplex: "half" } as const;
    expect((await fetch(url + CODE, init)).status).toBe(413);
  });

  it("is asked for where the client waits for that", async () => {
    const body = '{"email":"dina@example.com"}';
    const head = `POST ${CODE} HTTP/1.1\r\nhost: a\r\napi-key: ${KEY}\r\nconnection: close\r\n`;
    const answer = await sendBytes(
      url,
      `${head}expect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
      body,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it("that isn't wanted doesn't end the connection", async () => {
    const refused = `PUT ${CODE} HTTP/1.1\r\nhost: a\r\napi-key: ${KEY}\r\ncontent-length: 2\r\n\r\n{}`;
    const last = `GET /hello HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`;
    const answers = await sendBytes(url, refused + refused + last);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 405",
      "HTTP/1.1 405",
      "HTTP/1.1 200",
    ]);
  });
});

describe("a field", () => {
  it.each([
    [CODE, { email: 1 }, "email"],
    [CODE, { email: null }, "email"],
    [CODE, { email: ["ana@example.com"] }, "email"],
    [CODE, { email: { a: "ana@example.com" } }, "email"],
    [CODE, { email: "" }, "email"],
    [CODE, { email: "ana@example.com", phoneNumber: null }, "phoneNumber"],
    [CODE, { email: "ana@example.com", phoneNumber: "+15550100001" }, "email and phoneNumber"],
    [CODE, {}, "email and phoneNumber"],
    [CODE, { phoneNumber: "5550100001" }, "phoneNumber"],
    [CODE, { email: "ana@example.com", userInputCode: "" }, "userInputCode"],
    [CODE, { email: "ana@example.com", userInputCode: 123456 }, "userInputCode"],
    [CODE, { email: "ana@example.com", deviceId: "x" }, "deviceId"],
    [CODE, { deviceId: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=" }, "deviceId"],
    [CONSUME, {}, "preAuthSessionId"],
    [CONSUME, { preAuthSessionId: "abc" }, "linkCode"],
    [CONSUME, { preAuthSessionId: "abc", linkCode: null }, "linkCode"],
    [CONSUME, { preAuthSessionId: "abc", deviceId: "abc" }, "userInputCode"],
    [CONSUME, { preAuthSessionId: "abc", linkCode: "abc", userInputCode: "1" }, "linkCode"],
    [IMPORT, { passwordHash: "x" }, "email"],
    [IMPORT, { email: "ana@example.com" }, "passwordHash"],
    [IMPORT, { email: "ana@example.com", passwordHash: null }, "passwordHash"],
    [IMPORT, { email: "ana@example.com", passwordHash: "$2a$10$tooshort" }, "passwordHash"],
    ["/recipe/signin", { email: "ana@example.com" }, "password"],
    ["/recipe/signin", { email: "ana@example.com", password: 1 }, "password"],
    [MAP, { externalUserId: "u-17" }, "superTokensUserId"],
    [MAP, { superTokensUserId: "u-17" }, "externalUserId"],
    [MAP, { superTokensUserId: 17, externalUserId: "u-17" }, "superTokensUserId"],
  ])("that is wrong is named, and its contents are not (%#)", async (target, body, field) => {
    const { status, json } = await ask("POST", target, body);
    expect(status).toBe(400);
    expect(json.message).toContain(field);
    expect(json.message).not.toMatch(/ana@|tooshort|u-17/);
  });

  it.each([
    [CODE, "email", { email: "ana\u0000@example.com" }],
    [CODE, "email", { email: "ana\ud800@example.com" }],
    [CODE, "userInputCode", { email: "ana@example.com", userInputCode: "12\u00003456" }],
    [CONSUME, "linkCode", { preAuthSessionId: "abc", linkCode: "\udc00" }],
    [IMPORT, "passwordHash", { email: "ana@example.com", passwordHash: "$2a$10$\u0000" }],
    ["/recipe/signin", "password", { email: "ana@example.com", password: "pass\u0000word" }],
    [MAP, "externalUserId", { superTokensUserId: "abc", externalUserId: "u-\ud83d17" }],
  ])("of %s that no store could keep whole is refused: %s (%#)", async (target, field, body) => {
    const { status, json } = await ask("POST", target, body);
    expect({ status, message: json.message }).toEqual({
      status: 400,
      message: `${field}: holds a NUL character or half a surrogate pair`,
    });
  });

  it("may be any JSON value, and the answer is one that says what it takes", async () => {
    const calls = [
      ["POST", CODE, ["email", "phoneNumber", "userInputCode", "deviceId"]],
      ["POST", CONSUME, ["preAuthSessionId", "linkCode", "deviceId", "userInputCode"]],
      ["PUT", UPDATE, ["userId", "recipeUserId", "email", "phoneNumber"]],
      ["POST", IMPORT, ["email", "passwordHash", "hashingAlgorithm"]],
      ["POST", MAP, ["superTokensUserId", "externalUserId"]],
    ] as const;
    const value = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...calls)
          .chain(([method, target, names]) =>
            fc.tuple(
              fc.constant(method),
              fc.constant(target),
              fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length }),
            ),
          ),
        async ([method, target, body]) => {
          const { status, json } = await ask(method, target, body, RID);
          expect([200, 400]).toContain(status);
          expect(typeof (status === 200 ? json.status : json.message)).toBe("string");
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe("an update", () => {
  it("insists on rid: passwordless", async () => {
    const body = { userId: "u-1", email: "dora@example.com" };
    for (const rid of [
      undefined,
      "",
      "emailpassword",
      "Passwordless",
      "passwordless, passwordless",
    ]) {
      const headers = { "api-key": KEY, ...(rid === undefined ? {} : { rid }) };
      const { status, json } = await ask("PUT", UPDATE, body, headers);
      expect({ status, message: json.message }).toMatchObject({
        status: 400,
        message: expect.stringContaining("rid"),
      });
    }
  });

  it("takes userId, recipeUserId, or both where they name one user", async () => {
    const contact = { email: "edda@example.com" };
    for (const ids of [
      { userId: "u-1" },
      { recipeUserId: "u-1" },
      { userId: "u-1", recipeUserId: "u-1" },
    ]) {
      const { json } = await ask("PUT", UPDATE, { ...contact, ...ids }, RID);
      expect(json).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    }
    for (const ids of [{}, { userId: "u-1", recipeUserId: "u-2" }]) {
      const { status, json } = await ask("PUT", UPDATE, { ...contact, ...ids }, RID);
      expect(status).toBe(400);
      expect(json.message).toContain("userId");
    }
  });
});
