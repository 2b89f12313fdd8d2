/** As a setup file of Vitest: what a test file starts doesn't outlive it. Files that share a worker load other modules once; this one is run before each. */

import "./hint-words.js";
import { afterAll } from "vitest";
import { endProcesses } from "./cli.js";

afterAll(endProcesses);
