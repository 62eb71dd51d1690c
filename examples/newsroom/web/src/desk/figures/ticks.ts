const STEPS = [1, 2, 5]
const MAX_TICKS = 5

/** Returns round numbers from 0 to the first one that is not below `max`: the lines of a scale. */
export function ticksUpTo(max: number): readonly number[] {
  const step = stepFor(Math.max(1, max))
  return Array.from({ length: Math.ceil(Math.max(1, max) / step) + 1 }, (_none, index) => index * step)
}

function stepFor(max: number, power = 1): number {
  const step = STEPS.map((each) => each * power).find((each) => max / each <= MAX_TICKS)
  return step ?? stepFor(max, power * 10)
}
