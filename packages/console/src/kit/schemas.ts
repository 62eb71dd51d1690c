import type { CollectionSchema } from "kit/client"
import { useCallback, useSyncExternalStore } from "react"
import { collectionHandle } from "./resources.ts"

// The descriptions of collections that are reached through relations: undefined while one is read, null if it cannot be.
const schemas = new Map<string, CollectionSchema | null | undefined>()
const listeners = new Set<() => void>()
let version = 0

/** Returns a function that finds the description of any collection, and reads it when it is first asked for. */
export function useFindSchema(): (collection: string) => CollectionSchema | null | undefined {
  const known = useSyncExternalStore(subscribe, () => version)
  // Another function whenever another description is known, so that what it has found is looked for again.
  return useCallback((collection: string) => (known >= 0 ? schemaOf(collection) : undefined), [known])
}

function schemaOf(collection: string): CollectionSchema | null | undefined {
  if (!schemas.has(collection)) {
    schemas.set(collection, undefined)
    void readSchema(collection)
  }
  return schemas.get(collection)
}

async function readSchema(collection: string): Promise<void> {
  const schema = await collectionHandle(collection)
    .schema()
    .catch(() => null)
  schemas.set(collection, schema)
  version += 1
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
