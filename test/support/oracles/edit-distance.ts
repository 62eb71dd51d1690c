/**
 * The number of edits that make one text of the other: inserted, removed and replaced letters, and swaps of neighbouring
 * letters that are not edited again. Written for clarity, by the recursive definition.
 */
export function naiveDistance(left: string, right: string): number {
  const a = [...left]
  const b = [...right]
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const distance = Math.min(
        i === 0 && j === 0 ? 0 : Number.POSITIVE_INFINITY,
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      const row = table[i]
      if (row) row[j] = distance
    }
  }
  return at(a.length, b.length)
}
