/**
 * @typedef {{ promises: number, kilobytes: number, statements: number, rows: number, walBytes: number }} OperationCosts
 * @typedef {Record<string, Partial<OperationCosts>>} Costs by the name of the operation
 * @typedef {{ operation: string, unit: string, before: number, now: number }} Change
 */

// A figure may grow by this share before it counts.
const TOLERANCE = 0.03

// The memory of one request differs so much between runs of the same commit, on a busy machine.
const KILOBYTES_OF_CHANCE = 1.5

/** The figures that are compared. A change of at most `slack` does not count, whatever its share. */
const MEASURES = /** @type {const} */ ([
  { key: "promises", unit: "promises", slack: 1 },
  { key: "kilobytes", unit: "KB", slack: KILOBYTES_OF_CHANCE },
  { key: "statements", unit: "statements", slack: 0 },
  { key: "rows", unit: "rows", slack: 0 },
  { key: "walBytes", unit: "bytes of WAL", slack: 0 },
])

/**
 * Compares what operations cost with what they have cost. A figure that one side lacks is not compared.
 *
 * @param {Costs} before
 * @param {Costs} now
 * @returns {{ more: Change[], less: Change[] }}
 */
export function compareCosts(before, now) {
  const changes = Object.entries(now).flatMap(([operation, costs]) => changesOf(operation, before[operation], costs))
  return {
    more: changes.filter((change) => change.now > change.before),
    less: changes.filter((change) => change.now < change.before),
  }
}

/**
 * Returns the lesser of two figures for each measure.
 *
 * @param {Partial<OperationCosts>} one
 * @param {Partial<OperationCosts>} other
 * @returns {Partial<OperationCosts>}
 */
export function lesserCosts(one, other) {
  const least = MEASURES.flatMap(({ key }) => {
    const figures = [one[key], other[key]].filter((figure) => figure !== undefined)
    return figures.length === 0 ? [] : [[key, Math.min(...figures)]]
  })
  return Object.fromEntries(least)
}

/** Returns the change as a sentence. @param {Change} change */
export function describeChange({ operation, unit, before, now }) {
  const share = before === 0 ? "" : ` (${now > before ? "+" : "−"}${percent(Math.abs(now / before - 1))} %)`
  return `${operation} costs ${rounded(now)} ${unit} instead of ${rounded(before)}${share}.`
}

/** @param {string} operation @param {Partial<OperationCosts>} before @param {Partial<OperationCosts>} now @returns {Change[]} */
function changesOf(operation, before = {}, now) {
  return MEASURES.flatMap(({ key, unit, slack }) => {
    const figures = { before: before[key], now: now[key] }
    if (figures.before === undefined || figures.now === undefined) return []
    const change = Math.abs(figures.now - figures.before)
    if (change <= slack || change <= figures.before * TOLERANCE) return []
    return [{ operation, unit, before: figures.before, now: figures.now }]
  })
}

/** @param {number} share */
function percent(share) {
  return (share * 100).toFixed(share < 0.1 ? 1 : 0)
}

/** @param {number} figure */
function rounded(figure) {
  return String(Math.round(figure * 10) / 10)
}
