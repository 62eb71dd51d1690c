import type { CollectionSchema } from "kit/client"
import { collectionHandle } from "../../../kit/resources.ts"

// One question about rights, and one delete, name at most so many records.
const MAX_ASKED = 100
const MAX_DELETED = 10_000
// The records that are restored or purged together: the API takes them one by one.
const TOGETHER = 6

/** Returns the records that the person may delete. A rule that depends on the record is asked first. */
export async function deletable(
  { name, access }: CollectionSchema,
  ids: readonly string[],
  isTrash: boolean,
): Promise<readonly string[]> {
  const operation = isTrash ? "purge" : "delete"
  if (access.operations[operation] === true) return ids
  const allowed: string[] = []
  for (const part of partsOf(ids, MAX_ASKED)) {
    const rights = await collectionHandle(name).accessMany({ ids: part, ...(isTrash && { includeDeleted: true }) })
    allowed.push(...part.filter((_, index) => rights[index]?.operations[operation] === true))
  }
  return allowed
}

export async function deleteRecords(collection: string, ids: readonly string[]): Promise<void> {
  const [only, ...others] = ids
  if (only === undefined) return
  if (others.length === 0) await collectionHandle(collection).deleteById({ id: only })
  else
    for (const part of partsOf(ids, MAX_DELETED))
      await collectionHandle(collection).deleteMany({ where: { id: { in: part } } })
}

export async function restoreRecords(collection: string, ids: readonly string[]): Promise<void> {
  for (const part of partsOf(ids, TOGETHER)) {
    await Promise.all(part.map((id) => collectionHandle(collection).restoreById({ id })))
  }
}

export async function purgeRecords(collection: string, ids: readonly string[]): Promise<void> {
  for (const part of partsOf(ids, TOGETHER)) {
    await Promise.all(part.map((id) => collectionHandle(collection).purgeById({ id })))
  }
}

function partsOf(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, part) => ids.slice(part * size, (part + 1) * size))
}
