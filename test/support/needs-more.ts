interface Goal {
  /** The number of cases in any run. */
  readonly cases: number
  /** False while a kind of case has not occurred that the test has to see. */
  readonly isComplete: boolean
}

/** A kind of case that has not occurred among so many times the number of cases does not occur any more. */
const MOST_TIMES = 50

/** Returns whether another case has to be generated, so that no seed ends a short run before every kind of case has occurred. */
export function needsMore(done: number, { cases, isComplete }: Goal): boolean {
  return done < cases || (!isComplete && done < cases * MOST_TIMES)
}
