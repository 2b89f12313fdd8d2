/** Lets two sides of a comparison take turns and says what came out. */

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const perSecond = (users, milliseconds) => Math.round((users / milliseconds) * 1000);

/** Each side answers the milliseconds that it took; above 1 ours is the faster one. */
export async function compare(title, { users, rounds }, ours, reference) {
  const times = { ours: [], reference: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.reference.push(Number(await reference()));
    times.ours.push(Number(await ours()));
  }
  const result = {
    title,
    users,
    ours: perSecond(users, median(times.ours)),
    reference: perSecond(users, median(times.reference)),
    ratio: Number((median(times.reference) / median(times.ours)).toFixed(2)),
    spread: Object.entries(times).map(([side, values]) => {
      const [slowest, fastest] = [Math.max(...values), Math.min(...values)];
      return `${side} ${perSecond(users, slowest)} to ${perSecond(users, fastest)}`;
    }),
  };
  console.log(
    `${title}: ${result.ours} users/s beside ${result.reference}, ratio ${result.ratio} (${result.spread.join("; ")})`,
  );
  return result;
}
