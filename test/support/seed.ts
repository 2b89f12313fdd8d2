/** As a setup file of Vitest: a property tries the same cases in each run, others than the next test's, and others again where the variable says another number. One that fails for this change and not for the next would tell of neither. */

import { crc32 } from "node:zlib";
import fc from "fast-check";
import { beforeEach } from "vitest";

export const SEED = Number(process.env.AUTH_MIGRATE_TEST_SEED ?? 20_260_101);

beforeEach(({ task }) => fc.configureGlobal({ seed: crc32(task.fullTestName, SEED) | 0 }));
