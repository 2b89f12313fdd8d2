/** Runs the files of one project after the other's. A worker that files share ends where a file of another project is next. */

import { BaseSequencer, type TestSpecification } from "vitest/node";
import { doesRepeat } from "./repeated.js";

/**
 * Projects come in the order of the configuration; of each the longest files first, as far as Vitest
 * knows them, but before all those that take minutes in full: begun at last, one would end alone.
 */
export class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return this.ctx.projects.flatMap((each) => {
      const own = sorted.filter(({ project }) => project === each);
      const long = own.filter(({ moduleId }) => doesRepeat(moduleId));
      return [...long, ...own.filter((file) => !long.includes(file))];
    });
  }
}
