/** @param {ArrayLike<number>} values */
export function median(values) {
  const sorted = sort(values)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Returns the value that this share of all values does not exceed.
 *
 * @param {ArrayLike<number>} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = sort(values)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}

/**
 * Returns bounds of the true median from order statistics, without assuming a distribution of the noise. With fewer
 * than six values, the bounds are the smallest and largest value, and the confidence is below 95 %.
 *
 * @param {readonly number[]} values
 */
export function medianInterval(values) {
  const sorted = sort(values)
  const rank = Math.max(1, outerRank(sorted.length))
  return { low: sorted[rank - 1], high: sorted[sorted.length - rank] }
}

/** Returns the confidence of the bounds of `medianInterval` for this many values. @param {number} count */
export function intervalConfidence(count) {
  return 1 - 2 * belowRank(count, Math.max(1, outerRank(count)))
}

/** Returns the highest rank from either end that keeps 95 %. @param {number} count */
function outerRank(count) {
  let rank = 0
  while (1 - 2 * belowRank(count, rank + 1) >= 0.95) rank += 1
  return rank
}

/**
 * Returns the probability that fewer than `rank` of `count` values lie below the median.
 *
 * @param {number} count
 * @param {number} rank
 */
function belowRank(count, rank) {
  let ways = 1
  let sum = 0
  for (let below = 0; below < rank; below += 1) {
    sum += ways
    ways = (ways * (count - below)) / (below + 1)
  }
  return sum / 2 ** count
}

/** @param {ArrayLike<number>} values */
function sort(values) {
  return Float64Array.from(values).sort()
}
