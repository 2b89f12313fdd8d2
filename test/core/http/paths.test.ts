import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpointPath, namesOtherTenant, PATHS } from "../../../src/core/http/paths.js";
import { CODE, CONSUME, IMPORT, MAP, serveCore, UPDATE } from "./served-core.js";
import { runs } from "../../support/repeated.js";

const { ask } = await serveCore();

describe("a path", () => {
  it.each([
    "/Recipe/SignInUp/Code",
    "/recipe/signinup/code/",
    "/RECIPE/SIGNINUP/CODE/",
    "/public/recipe/signinup/code",
    "/appid-public/recipe/signinup/code",
    "/appid-public/public/recipe/signinup/code",
    "/AppId-Public/PUBLIC/recipe/signinup/code/",
    "http://core.example.com/recipe/signinup/code",
    "HTTP://core.example.com:3567/public/recipe/signinup/code?",
  ])("is found as %s", async (target) => {
    const { status, json } = await ask("POST", target, { email: "ana@example.com" });
    expect({ status, outcome: json.status }).toEqual({ status: 200, outcome: "OK" });
  });

  it.each([
    "/nope",
    "/recipe/signinup/code//",
    "//recipe/signinup/code",
    "/recipe//signinup/code",
    "/recipe",
    "/users/count/more",
    "/users/../users/count",
    "/users/./count",
    "/users%2Fcount",
    "/%75sers/count",
    "/users/count%00",
    "/users/count%",
    "/users/count%C3%28",
    "/users/count;v=1",
    "/users/count#all",
    "/public",
    "/public/",
    "/appid-public",
    "/public/public/users/count",
    "/public/appid-public/users/count",
    "/recipe/hello",
    "/bulk-import/users/import",
    "/users/hello",
    "*",
    "http://core.example.com/nope",
    "ftp://core.example.com/users/count",
    `/${"users/".repeat(1500)}count`,
  ])("is unknown as %s, with or without a key", async (target) => {
    for (const headers of [undefined, {}]) {
      const { status, json } = await ask("GET", target, undefined, headers);
      expect({ status, json }).toEqual({ status: 404, json: { message: "no such endpoint" } });
    }
  });

  it.each([
    "/ghost/recipe/signinup/code",
    "/appid-ghost/recipe/signinup/code",
    "/appid-ghost/public/recipe/signinup/code",
    "/appid-public/ghost/users/count",
    "/Ghost/Hello/",
  ])(
    "of another tenant or app is refused as %s, and the answer says which there is",
    async (target) => {
      const { status, json } = await ask("POST", target, { email: "ana@example.com" });
      expect(status).toBe(400);
      expect(json.message).toContain("public");
    },
  );

  it("reaches an endpoint in no other way than those", () => {
    const known = [...PATHS].map((path) => path.toLowerCase());
    const piece = fc.constantFrom(
      ...known,
      ...known.flatMap((path) => path.split("/")),
      ...["/", "//", "appid-", "appid-public", "public", ".", "..", "%2f", "?", "#", "\\", " "],
    );
    const target = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 6 });
    const allowed =
      /^(?:https?:\/\/[^/?#]*)?(?:\/appid-public)?(?:\/public)?(\/[^?]*?)\/?(?:\?.*)?$/s;
    fc.assert(
      fc.property(target, fc.constantFrom("", "/", "/public/"), (pieces, start) => {
        const text = start + pieces.join("");
        const found = endpointPath(text);
        if (!known.includes(found)) return;
        expect(allowed.exec(text.toLowerCase())?.[1]).toBe(found);
        expect(namesOtherTenant(text)).toBe(false);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("a method", () => {
  it.each([
    ["GET", CODE, "POST"],
    ["PUT", CODE, "POST"],
    ["HEAD", CODE, "POST"],
    ["PATCH", IMPORT, "POST"],
    ["OPTIONS", CONSUME, "POST"],
    ["TRACE", "/users", "GET, HEAD"],
    ["POST", UPDATE, "PUT"],
    ["GET", UPDATE, "PUT"],
    ["DELETE", "/users", "GET, HEAD"],
    ["PUT", MAP, "GET, HEAD, POST"],
    ["POST", "/hello", "GET, HEAD"],
    ["POST", "/public/users/count", "GET, HEAD"],
  ])(
    "that a path doesn't take is answered with 405 and those it takes: %s %s",
    async (method, target, allow) => {
      const { status, headers, json } = await ask(method, target);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
      if (method !== "HEAD") expect(json.message).toContain(allow);
    },
  );

  it.each(["/users/count", "/apiversion", "/hello", "/nope", "/users?limit=few"])(
    "HEAD is answered like GET %s, but for the body",
    async (target) => {
      const get = await ask("GET", target);
      const head = await ask("HEAD", target);
      const withoutDate = ({ date: _, ...headers }: typeof get.headers) => headers;
      expect(head.status).toBe(get.status);
      expect(withoutDate(head.headers)).toEqual(withoutDate(get.headers));
      expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(get.text)));
      expect(head.text).toBe("");
    },
  );
});
