/** What every core does alike, as one suite: interface.md's four calls, and the calls beyond them where a core has them. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { describeAccounts } from "./contract/accounts.js";
import { describeCapabilities } from "./contract/capabilities.js";
import { describeCodes } from "./contract/codes.js";
import { describeContacts } from "./contract/contacts.js";
import { describeImports } from "./contract/imports.js";
import { describeLookups } from "./contract/lookups.js";
import { describeMappings } from "./contract/mappings.js";
import { describeMetadata } from "./contract/metadata.js";
import { describeQueue } from "./contract/queue.js";
import { describeRemovals } from "./contract/removals.js";
import { describeRoles } from "./contract/roles.js";
import { createScene, type Lacks } from "./contract/scene.js";
import { describeSocialAccounts } from "./contract/social-accounts.js";
import { describeTotp } from "./contract/totp.js";
import { describeUndo } from "./contract/undone.js";
import { describeUpdates } from "./contract/updates.js";
import { describeVerification } from "./contract/verification.js";

export interface OpenedCore {
  readonly core: Core;
  /** Has the core's job write what is in its queue; by default the core's own `importQueued`. */
  importQueued?(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Declares the suite for one core, which may be in use and full of users: the tests create users
 * of their own and touch no others.
 *
 * @param lacks what it isn't expected to do, and why; nothing by default
 */
export function describeCoreContract(
  name: string,
  open: () => Promise<OpenedCore>,
  lacks: Lacks = {},
): void {
  describe(`the core contract: ${name}`, () => {
    let opened: OpenedCore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    const scene = createScene(() => opened, lacks);

    it("passes its own probe", async () => {
      await expect(scene.core.probe()).resolves.toBeUndefined();
    });

    describeCodes(scene);
    describeContacts(scene);
    describeUpdates(scene);
    describeImports(scene);
    describeLookups(scene);
    describeMappings(scene);
    describeRemovals(scene);
    describeUndo(scene);
    describeMetadata(scene);
    describeRoles(scene);
    describeVerification(scene);
    describeTotp(scene);
    describeSocialAccounts(scene);
    describeAccounts(scene);
    describeQueue(scene);
    describeCapabilities(scene);
  });
}
