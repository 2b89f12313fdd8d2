import { describe, expect, it } from "vitest";
import { isLoopback } from "../../../src/core/http/loopback.js";

describe("loopback", () => {
  it.each([
    "127.0.0.1",
    "127.0.0.53",
    "127.255.255.254",
    "::1",
    "[::1]",
    "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1",
    "[::ffff:7f00:1]",
    "localhost",
    "LocalHost",
  ])("is %s", (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "128.0.0.1",
    "1.127.0.0",
    "::ffff:10.0.0.1",
    "::2",
    "fe80::1",
    // Names that only look like it.
    "127.999.0.1",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "notlocalhost",
    "[localhost",
    "",
  ])("is not %s", (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
