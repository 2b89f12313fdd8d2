import { describe, expect, it } from "vitest";
import { checkedBaseUrl } from "../../../src/core/http/base-url.js";
import type { RunError } from "../../../src/errors/run-error.js";

function refusalOf(url: string): Pick<RunError, "code" | "message" | "hint"> {
  try {
    checkedBaseUrl(url, {});
  } catch (error) {
    return error as RunError;
  }
  throw new Error(`${url} was taken`);
}

describe("a URL of a core that can't be meant", () => {
  it.each([
    ["https://https://core.example.com/auth", /scheme twice/, "https://core.example.com/auth"],
    ["https://http://localhost:3567", /scheme twice/, "http://localhost:3567"],
    ["https:https://core.example.com", /scheme twice/, "https://core.example.com"],
    ["core.example.com", /not an http: or https:/, "https://core.example.com"],
    ["core.example.com:3567/auth/", /not an http: or https:/, "https://core.example.com:3567/auth"],
    ["localhost:3567", /not an http: or https:/, "http://localhost:3567"],
    ["127.0.0.1:3567", /not an http: or https:/, "http://127.0.0.1:3567"],
    ["[::1]:3567", /not an http: or https:/, "http://[::1]:3567"],
    ["ftp://core.example.com", /not an http: or https:/, "https://core.example.com"],
    ["https://core.example.com/apiversion", /goes on to \/apiversion/, "https://core.example.com"],
    [
      "https://core.example.com/auth/recipe/signin/",
      /goes on to \/recipe\/signin/,
      "https://core.example.com/auth",
    ],
    [
      "https://core.example.com/users/by-accountinfo",
      /goes on to \/users\/by-accountinfo/,
      "https://core.example.com",
    ],
    [
      "https://api.example.com/auth/dashboard",
      /goes on to \/auth\/dashboard/,
      "https://api.example.com",
    ],
    ["https://core.example.com/auth?tenant=a", /query/, "https://core.example.com/auth"],
    ["https://core.example.com/#users", /fragment/, "https://core.example.com"],
  ])("refuses %s and says what to write", (url, says, meant) => {
    const { code, message, hint } = refusalOf(url);
    expect(code).toBe("config_invalid");
    expect(message).toMatch(says);
    expect(hint).toMatch(/ as in /);
    expect(hint.split(" as in ")[1]).toBe(`${meant}.`);
  });

  it.each([
    ["a user name and a password", "https://ana:Winter-2031@core.example.com"],
    ["these behind a second scheme", "https://https://ana:Winter-2031@core.example.com"],
    ["these without a scheme", "ana:Winter-2031@core.example.com"],
    ["a password that begins like a port", "https://ana:4711#Winter-2031@core.example.com"],
    ["a password that cuts the URL off", "https://ana:Winter#2031@core.example.com"],
    ["a key in the query", "https://core.example.com/recipe/signin?key=Winter-2031@"],
  ])("is refused without a word of its secrets: %s", (_, url) => {
    const { message, hint } = refusalOf(url);
    expect(`${message} ${hint}`).not.toMatch(/winter|ana|4711|2031/i);
  });
});

describe("a URL of a core", () => {
  it.each([
    ["https://gateway.example.com/auth/core/", "https://gateway.example.com/auth/core"],
    ["https://gateway.example.com/users", "https://gateway.example.com/users"],
    ["https://gateway.example.com/user", "https://gateway.example.com/user"],
    ["http://[::1]:3567", "http://[::1]:3567"],
    ["HTTPS://Core.Example.com:443/", "https://core.example.com"],
  ])("may be %s", (url, shown) => {
    expect(checkedBaseUrl(url, {}).url).toBe(shown);
  });
});
