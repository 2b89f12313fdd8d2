/** Medians and spreads of what was measured round by round. */

const sorted = (values) => values.toSorted((a, b) => a - b);

/** The middle value, or the mean of the two in the middle. */
export function median(values) {
  const all = sorted(values);
  const half = all.length / 2;
  return (all[Math.ceil(half) - 1] + all[Math.floor(half)]) / 2;
}

/** Median, smallest and largest, rounded to so many places. */
export function spread(values, places = 0) {
  const round = (value) => Number(value.toFixed(places));
  return {
    median: round(median(values)),
    min: round(Math.min(...values)),
    max: round(Math.max(...values)),
  };
}

/** Users a second of one measure. */
export const rateOf = ({ users, milliseconds }) => (users / milliseconds) * 1000;

/** What one side took, over all its rounds. */
export function sideFigures(side, measures) {
  const micros = measures.map(({ users, cpuMilliseconds }) => (cpuMilliseconds / users) * 1000);
  return {
    side,
    users: measures[0].users,
    rounds: measures.length,
    usersPerSecond: spread(measures.map(rateOf)),
    cpuMicrosecondsAUser: spread(micros, 1),
    peakMegabytes: Math.round(Math.max(...measures.map(({ megabytes }) => megabytes))),
  };
}

/**
 * How many times as fast one side is as another: of each round by itself, since its sides had the
 * same machine, which later rounds may not have.
 */
export function ratio(measures, reference) {
  const rounds = Math.min(measures.length, reference.length);
  const ratios = Array.from(
    { length: rounds },
    (_, round) => rateOf(measures[round]) / rateOf(reference[round]),
  );
  return spread(ratios, 2);
}

/**
 * A figure beside what it is to be.
 *
 * @param target `least`, `most` or both, where there is one
 */
export function check(what, figures, { least, most } = {}) {
  const isMet = figures.median >= (least ?? -Infinity) && figures.median <= (most ?? Infinity);
  const bounds = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  const target = bounds.length === 0 ? null : bounds.join(", ");
  return { what, ...figures, target, ...(target === null ? {} : { isMet }) };
}
