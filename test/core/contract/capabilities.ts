/** The core contract of what a core says of itself, before the first call that would show it. */

import { describe, expect, it } from "vitest";
import type { Scene } from "./scene.js";

export function describeCapabilities(scene: Scene): void {
  const { lacks } = scene;

  it("says what it offers, as its calls do", async () => {
    const said = await scene.core.capabilities();
    expect(said).toMatchObject({
      emailVerification: lacks.verification === undefined,
      metadata: lacks.metadata === undefined,
      thirdParty: lacks.thirdParty === undefined,
      timeJoined: lacks.timeJoined === undefined,
      importAccount: lacks.accounts === undefined,
    });
    expect(said.roles === null).toBe(lacks.roles !== undefined);
    expect(said.totp === false).toBe(lacks.totp !== undefined);
    // Not every core that links accounts or imports in bulk can be asked here.
    expect([null, true, false]).toContain(said.accountLinking);
  });

  describe("when it is asked what it offers", () => {
    scene.needing("roles")("names the roles that there are", async () => {
      const role = `reader-${Date.now()}`;
      await scene.core.part("putRole", { role, permissions: [] });
      expect((await scene.core.capabilities()).roles).toContain(role);
    });

    scene.needing("lookups")("makes no user", async () => {
      const before = await scene.core.countUsers();
      await scene.core.capabilities();
      expect(await scene.core.countUsers()).toBe(before);
    });
  });
}
