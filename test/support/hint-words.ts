/** Has hints name options by their flags, before any of the source is loaded: most tests are of what the command line prints. */

import { setEnvironmentData } from "node:worker_threads";

setEnvironmentData("auth-migrate hints", "flags");
