// Random pages by cursors.
import type { Chance } from "./random.ts"

type Topic = Record<string, any>

/** Reads what a topic shows; `fresh` is missing if the user may not. */
type FindPage = (topic: Topic) => Promise<{ readonly fresh?: any }>

/** Returns a topic on the first or the last records of the list of another topic. Users can share it. */
export function endOf(c: Chance, topic: Topic): Topic {
  return paged(topic, c.is(50) ? { after: null } : { before: null })
}

/**
 * Returns a topic on a part of the list of another topic: between two cursors, behind or before one. The cursors are
 * those of a page of the user.
 */
export async function rangeOf(c: Chance, topic: Topic, find: FindPage): Promise<Topic> {
  if (topic["resourceType"] !== "collection") return topic
  const limit = 1 + c.below(6)
  const { fresh } = await find({ ...endOf(c, topic), limit })
  if (typeof fresh?.startCursor !== "string") return endOf(c, topic)
  const { startCursor: start, endCursor: end } = fresh
  const cursors = c.of([
    { after: start, before: end },
    { after: start, before: end },
    { after: end },
    { before: start },
    { after: end, before: null },
    { after: null, before: end },
  ])
  return { ...paged(topic, cursors), ...(c.is(50) && { limit: 1 + c.below(8) }) }
}

function paged({ offset: _offset, read = {}, ...topic }: Topic, cursors: object): Topic {
  const { operation: _operation, id: _id, groupBy: _groupBy, ...options } = read
  return { ...topic, read: { ...options, ...cursors } }
}
