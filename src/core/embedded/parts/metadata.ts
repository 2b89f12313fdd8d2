/** User metadata: one JSON object for each user id, merged by its top-level fields. */

import type { Metadata, PartHandlers } from "../../account-parts.js";
import { refusal } from "../../core-failure.js";
import { ask, type Script } from "../script.js";
import type { Store } from "../store.js";

export function metadataCalls(store: Store) {
  return {
    async getMetadata({ userId }) {
      const rows = await store.read(() =>
        ask<[string]>("SELECT metadata FROM auth_core.user_metadata WHERE user_id = $1", userId),
      );
      return { status: "OK", metadata: asMetadata(rows[0]?.[0]) };
    },
    async updateMetadata({ userId, metadataUpdate }) {
      requireObject("metadataUpdate", metadataUpdate);
      return { status: "OK", metadata: await store.change(() => merge(userId, metadataUpdate)) };
    },
    async removeMetadata({ userId }) {
      await store.change(() =>
        ask("DELETE FROM auth_core.user_metadata WHERE user_id = $1", userId),
      );
      return { status: "OK" };
    },
  } satisfies Partial<PartHandlers>;
}

/** The row is made first, or written as it is: that locks it, so that two updates at once both count. */
export function* merge(userId: string, update: Metadata): Script<Metadata> {
  const [row] = yield* ask<[string]>(
    `INSERT INTO auth_core.user_metadata AS mine (user_id, metadata) VALUES ($1, '{}')
     ON CONFLICT (user_id) DO UPDATE SET metadata = mine.metadata RETURNING metadata`,
    userId,
  );
  const metadata = withoutNulls({ ...asMetadata(row?.[0]), ...update });
  yield* ask(
    "UPDATE auth_core.user_metadata SET metadata = $1 WHERE user_id = $2",
    JSON.stringify(metadata),
    userId,
  );
  return metadata;
}

export function withoutNulls(metadata: Metadata): Metadata {
  if (!Object.values(metadata).includes(null)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}

function asMetadata(text = "{}"): Metadata {
  return JSON.parse(text) as Metadata;
}

/** @throws CoreFailure `refused` */
export function requireObject(field: string, value: unknown): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw refusal(`${field} is not a JSON object`);
}
