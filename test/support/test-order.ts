/** The order of test files: those of one project after the other's, and of each the long ones first. */

import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Projects come in the order of the configuration: a worker that files share ends where a file of
 * another project is next. Of files of one rank the longest are first, as far as Vitest knows them.
 *
 * @param rankOf lower for files that take minutes: begun at last, one would end alone
 */
export function inOrder(rankOf: (file: string) => number) {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      const place = ({ project }: TestSpecification): number => this.ctx.projects.indexOf(project);
      return sorted.sort((a, b) => place(a) - place(b) || rankOf(a.moduleId) - rankOf(b.moduleId));
    }
  };
}
