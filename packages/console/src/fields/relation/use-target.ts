import type { CollectionSchema, ResourceSummary } from "kit/client"
import { useRead } from "kit/react-reads"
import { useMemo } from "react"
import { useAppIndex } from "../../kit/descriptions.ts"
import { collectionHandle } from "../../kit/resources.ts"
import { type FaceReading, faceReading } from "./face.ts"

/** Returns what the index says about a related collection; undefined if the person may not read its records. */
export function useReadableTarget(name: string | null): ResourceSummary | undefined {
  return useAppIndex().resources.find((resource) => resource.name === name && isReadable(resource))
}

/** Returns a function that says whether the person may read records of a collection. */
function useMayRead(): (collection: string) => boolean {
  const { resources } = useAppIndex()
  return useMemo(() => {
    const readable = new Set(resources.filter(isReadable).map(({ name }) => name))
    return (collection) => readable.has(collection)
  }, [resources])
}

/** A related collection whose records can be shown. */
export interface Target {
  readonly schema: CollectionSchema
  readonly reading: FaceReading
}

/** Reads the description of a related collection, and how its faces are read. With null, reads nothing. */
export function useTarget(name: string | null, without: string | null = null): Target | undefined {
  const { data: schema } = useRead(collectionHandle(name ?? "_none").schema, name === null ? null : {})
  const mayRead = useMayRead()
  return useMemo(
    () => schema && { schema, reading: faceReading(schema, { mayRead, without }) },
    [schema, mayRead, without],
  )
}

function isReadable({ kind, access }: ResourceSummary): boolean {
  return kind === "collection" && access.read !== undefined && access.read !== false
}
