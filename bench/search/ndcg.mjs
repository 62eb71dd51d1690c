/**
 * Returns the normalised discounted cumulative gain of the first `depth` results: 1 if the best records come first, the
 * better ones before the worse, and 0 if none of them has any relevance. A record with the grade g counts 2^g - 1,
 * divided by the binary logarithm of its place plus one.
 *
 * @param {readonly string[]} ids the found records, the best first
 * @param {Readonly<Record<string, number>>} grades the grade of each relevant record, above 0
 * @param {number} depth
 */
export function ndcg(ids, grades, depth) {
  const found = ids.map((id) => grades[id] ?? 0)
  const ideal = Object.values(grades).sort((a, b) => b - a)
  const best = gain(ideal, depth)
  return best === 0 ? 0 : gain(found, depth) / best
}

/** @param {readonly number[]} grades @param {number} depth */
function gain(grades, depth) {
  return grades.slice(0, depth).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)
}
