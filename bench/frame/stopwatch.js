/** The clock of a reference, which stands still while what is no part of it is made. Wall and processor time. */

/** Starts standing; `end` prints what was measured, as the last line that `runSide` reads. */
export function stopwatch() {
  let milliseconds = 0;
  let cpuMilliseconds = 0;
  return {
    /** Runs `work` with the clock going. */
    async time(work) {
      const start = performance.now();
      const cpu = process.cpuUsage();
      const result = await work();
      const { user, system } = process.cpuUsage(cpu);
      milliseconds += performance.now() - start;
      cpuMilliseconds += (user + system) / 1000;
      return result;
    },
    end: (users) => console.log(JSON.stringify({ users, milliseconds, cpuMilliseconds })),
  };
}
