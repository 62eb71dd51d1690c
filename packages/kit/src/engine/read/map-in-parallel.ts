import { TimeSlice } from "./time-slice.ts"

// Rules may query the database. A description evaluates many rules, and a caller may use only a few connections.
const MAX_PARALLEL = 4

/**
 * Applies an asynchronous function to all items, to a few of them at a time, and returns the results in order. Rules that
 * wait for nothing would keep the event loop busy until the last item, so the work is done in time slices.
 */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  apply: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const turn = new TimeSlice()
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      if (turn.isOver) await turn.next()
      const item = items[index]
      // The cast is safe: `index` is below the length of the list, and the list has no holes.
      results[index] = await apply(item as Item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, items.length) }, work))
  return results
}
