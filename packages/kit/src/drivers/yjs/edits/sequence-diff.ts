/** A part of a sequence that another one replaces: `from` to `fromEnd` of the old one, `to` to `toEnd` of the new one. */
export interface Hunk {
  readonly from: number
  readonly fromEnd: number
  readonly to: number
  readonly toEnd: number
}

// Two sequences with more differences, or a comparison with more steps, are taken as different from end to end. The
// limits bound the time and the memory of a comparison.
const MAX_DIFFERENCES = 1000
const MAX_STEPS = 20_000_000

/** Returns the parts in which two sequences differ, in ascending order: as few and as short ones as possible. */
export function diffSequences(from: ArrayLike<number>, to: ArrayLike<number>): Hunk[] {
  const start = commonStart(from, to)
  const end = commonEnd(from, to, start)
  const middle = { from: start, fromEnd: from.length - end, to: start, toEnd: to.length - end }
  if (middle.from === middle.fromEnd && middle.to === middle.toEnd) return []
  if (middle.from === middle.fromEnd || middle.to === middle.toEnd) return [middle]
  return shortestHunks({ from, to, middle }) ?? [middle]
}

function commonStart(from: ArrayLike<number>, to: ArrayLike<number>): number {
  const most = Math.min(from.length, to.length)
  let count = 0
  while (count < most && from[count] === to[count]) count++
  return count
}

function commonEnd(from: ArrayLike<number>, to: ArrayLike<number>, start: number): number {
  const most = Math.min(from.length, to.length) - start
  let count = 0
  while (count < most && from[from.length - 1 - count] === to[to.length - 1 - count]) count++
  return count
}

interface Comparison {
  readonly from: ArrayLike<number>
  readonly to: ArrayLike<number>
  readonly middle: Hunk
}

// The greedy algorithm of E. Myers ("An O(ND) Difference Algorithm and Its Variations", 1986): each round allows one
// difference more. Returns undefined if a limit is exceeded.
function shortestHunks(comparison: Comparison): Hunk[] | undefined {
  const { middle } = comparison
  const most = Math.min(middle.fromEnd - middle.from + middle.toEnd - middle.to, MAX_DIFFERENCES)
  const search = { comparison, reach: new Int32Array(2 * most + 3), origin: most + 1, steps: 0 }
  const history: Int32Array[] = []
  for (let differences = 0; differences <= most && search.steps <= MAX_STEPS; differences++) {
    history.push(search.reach.slice(search.origin - differences - 1, search.origin + differences + 2))
    if (reachesEnd(search, differences)) return hunksOf(history, comparison)
  }
  return undefined
}

interface Search {
  readonly comparison: Comparison
  /** For each diagonal, how far `from` was compared. A diagonal is the difference of the places in both sequences. */
  readonly reach: Int32Array
  /** The place of the diagonal 0 in `reach`. */
  readonly origin: number
  /** The number of comparisons so far. */
  steps: number
}

// Runs one round. Returns true if it compares both sequences up to their ends.
function reachesEnd(search: Search, differences: number): boolean {
  const { comparison, reach, origin } = search
  const { from, to, middle } = comparison
  const width = middle.fromEnd - middle.from
  const height = middle.toEnd - middle.to
  for (let k = -differences; k <= differences; k += 2) {
    const start = furthestStart(reach, { at: origin + k, isLowest: k === -differences, isHighest: k === differences })
    let x = start
    while (x < width && x - k < height && from[middle.from + x] === to[middle.to + x - k]) x++
    search.steps += x - start + 1
    reach[origin + k] = x
    if (x >= width && x - k >= height) return true
  }
  return false
}

interface Diagonal {
  readonly at: number
  readonly isLowest: boolean
  readonly isHighest: boolean
}

// Where the diagonal begins in this round: one step down from the diagonal above it, or one to the right from that below.
function furthestStart(reach: Int32Array, { at, isLowest, isHighest }: Diagonal): number {
  const below = reach[at - 1] ?? 0
  const above = reach[at + 1] ?? 0
  return isLowest || (!isHighest && below < above) ? above : below + 1
}

// Walks back through the rounds, and joins steps that touch each other.
function hunksOf(history: readonly Int32Array[], { middle }: Comparison): Hunk[] {
  const hunks: Hunk[] = []
  let x = middle.fromEnd - middle.from
  let y = middle.toEnd - middle.to
  for (let differences = history.length - 1; differences > 0; differences--) {
    const reach = history[differences] ?? new Int32Array()
    const k = x - y
    const at = k + differences + 1
    const below = reach[at - 1] ?? 0
    const above = reach[at + 1] ?? 0
    const isDown = k === -differences || (k !== differences && below < above)
    const startX = isDown ? above : below
    const startY = startX - (isDown ? k + 1 : k - 1)
    addStep(hunks, {
      from: middle.from + startX,
      fromEnd: middle.from + startX + (isDown ? 0 : 1),
      to: middle.to + startY,
      toEnd: middle.to + startY + (isDown ? 1 : 0),
    })
    x = startX
    y = startY
  }
  return hunks.reverse()
}

function addStep(hunks: Hunk[], step: Hunk): void {
  const next = hunks.at(-1)
  if (next === undefined || next.from !== step.fromEnd || next.to !== step.toEnd) {
    hunks.push(step)
    return
  }
  hunks[hunks.length - 1] = { ...next, from: step.from, to: step.to }
}
