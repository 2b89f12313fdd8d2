/** Lets the sides of a comparison take turns, and says what came out. */

import { check, ratio, rateOf, sideFigures } from "./figures.js";
import { ROUNDS } from "./settings.js";

/**
 * Each side has its turn in every round, there and back again, so that none is always the one after
 * another.
 *
 * @param sides by name, a function that runs the side and answers its measure
 * @returns the measures of each side, round by round
 */
export async function takeTurns(sides, rounds = ROUNDS) {
  const measures = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const names = round % 2 === 0 ? Object.keys(sides) : Object.keys(sides).reverse();
    for (const name of names) {
      const measure = await sides[name]();
      tell(`${round + 1} of ${rounds}, ${name}`, measure);
      measures[name].push(measure);
    }
  }
  return measures;
}

/** One line on stderr: a run may take an hour. */
function tell(turn, measure) {
  const seconds = (measure.milliseconds / 1000).toFixed(1);
  const rate = Math.round(rateOf(measure)).toLocaleString("en-US");
  console.error(`${turn}: ${seconds} s, ${rate} users/s, ${Math.round(measure.megabytes)} MB`);
}

/**
 * @param measures as of {@link takeTurns}
 * @param pairs whose ratios are told: `[side, reference]`, and a target where there is one
 * @param checks further figures
 */
export function resultOf(title, measures, pairs, checks = []) {
  const ratios = pairs.map(([side, reference, target]) =>
    check(`${side} / ${reference}`, ratio(measures[side], measures[reference]), target),
  );
  return {
    title,
    sides: Object.entries(measures).map(([side, values]) => sideFigures(side, values)),
    checks: [...ratios, ...checks],
  };
}
