/** What processes write, gathered, for tests that wait until something is said. */

import type { ChildProcess } from "node:child_process";

export interface Log {
  text(): string;
  /** Gathers what a process writes to both streams. */
  follow(child: ChildProcess): void;
  /** Resolves when `part` has been written, be it before or after this call. */
  says(part: string): Promise<void>;
}

/** Answers an empty log. */
export function newLog(): Log {
  let text = "";
  const waiting = new Set<() => void>();
  return {
    text: () => text,
    follow(child) {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (piece) => {
          text += piece;
          for (const look of waiting) look();
        });
      }
    },
    says: (part) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text.includes(part)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
