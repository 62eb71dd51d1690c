import { useCallback, useSyncExternalStore } from "react"
import { collectionHandle } from "./resources.ts"

export interface TitlePlace {
  readonly collection: string
  readonly titleField: string
  readonly id: string
}

// The titles of records that only their ids are known of, such as those in a filter. An id stands for a missing title.
const titles = new Map<string, string | undefined>()
const wanted = new Map<string, TitlePlace[]>()
const listeners = new Set<() => void>()
let version = 0

/** Returns a function that finds the title of a record, and reads it when it is first asked for. */
export function useFindTitle(): (place: TitlePlace) => string | undefined {
  const known = useSyncExternalStore(subscribe, () => version)
  // Another function whenever another title is known, so that what it has found is looked for again.
  return useCallback((place: TitlePlace) => (known >= 0 ? titleOf(place) : undefined), [known])
}

/** Keeps a title that has been read already. */
export function keepTitle({ collection, id }: TitlePlace, title: string): void {
  titles.set(`${collection}/${id}`, title)
}

function titleOf(place: TitlePlace): string | undefined {
  const key = `${place.collection}/${place.id}`
  if (!titles.has(key)) {
    titles.set(key, undefined)
    const others = wanted.get(place.collection)
    if (others) others.push(place)
    else {
      wanted.set(place.collection, [place])
      // All titles that one render asks for are one read.
      queueMicrotask(() => void readTitles(place.collection))
    }
  }
  return titles.get(key)
}

async function readTitles(collection: string): Promise<void> {
  const places = wanted.get(collection) ?? []
  wanted.delete(collection)
  const titleField = places[0]?.titleField ?? "id"
  const ids = places.map(({ id }) => id)
  const found = await collectionHandle(collection)
    .find({
      where: { id: { in: ids } },
      columns: { [titleField]: true },
      limit: Math.min(ids.length, 1000),
      total: false,
    })
    .catch(() => ({ docs: [] }))
  for (const id of ids) titles.set(`${collection}/${id}`, id)
  for (const record of found.docs) {
    // Every record has an id, and the field that was asked for.
    const { id, [titleField]: title } = record as Readonly<Record<string, unknown>>
    if (title !== null && title !== undefined) titles.set(`${collection}/${String(id)}`, String(title))
  }
  version += 1
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
