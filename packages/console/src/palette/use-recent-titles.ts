import { useEffect, useState } from "react"
import { useAppIndex } from "../kit/descriptions.ts"
import { usePerson } from "../kit/person.ts"
import { collectionHandle } from "../kit/resources.ts"
import { type RecentRecord, recentRecords } from "./recent-records.ts"

interface TitledRecord extends RecentRecord {
  readonly title: string
}

/** Reads the titles of the records that the person opened last. Those that are gone by now are left out. */
export function useRecentTitles(): readonly TitledRecord[] {
  const { id: person } = usePerson()
  const { resources } = useAppIndex()
  const [titled, setTitled] = useState<readonly TitledRecord[]>([])
  useEffect(() => {
    const controller = new AbortController()
    const titleFields = new Map(
      resources.flatMap(({ name, title }) => (title === null ? [] : [[name, title] as const])),
    )
    const recent = recentRecords(person).filter(({ collection }) => titleFields.has(collection))
    const collections = [...new Set(recent.map(({ collection }) => collection))]
    const reads = collections.map((collection) =>
      readTitles(recent, { collection, titleField: titleFields.get(collection) ?? "id" }, controller.signal),
    )
    void Promise.all(reads).then((found) => {
      if (controller.signal.aborted) return
      const titles = new Map(found.flat().map((record) => [keyOf(record), record]))
      setTitled(recent.flatMap((record) => titles.get(keyOf(record)) ?? []))
    })
    return () => controller.abort()
  }, [person, resources])
  return titled
}

interface TitledCollection {
  readonly collection: string
  readonly titleField: string
}

async function readTitles(
  recent: readonly RecentRecord[],
  { collection, titleField }: TitledCollection,
  signal: AbortSignal,
): Promise<readonly TitledRecord[]> {
  const ids = recent.filter((record) => record.collection === collection).map(({ id }) => id)
  const options = { where: { id: { in: ids } }, columns: { [titleField]: true }, limit: ids.length, total: false }
  // Without their titles the records are left out: they are only a shortcut.
  const { docs } = await collectionHandle(collection)
    .find(options, { signal })
    .catch(() => ({ docs: [] }))
  return docs.flatMap((record: Readonly<Record<string, unknown>>) => {
    const title = record[titleField]
    return typeof title === "string" && title !== "" ? [{ collection, id: String(record["id"]), title }] : []
  })
}

function keyOf({ collection, id }: RecentRecord): string {
  return `${collection}/${id}`
}
