import type { CollectionSchema, GroupedPage } from "kit/client"
import { useLive } from "kit/react"
import { useLiveAggregate } from "kit/react-reads"
import { memo, type ReactNode, useCallback, useEffect, useMemo, useState } from "react"
import { type ConsoleRecord, collectionHandle } from "../../../kit/resources.ts"
import type { ListFilter, ListOptions } from "../list-options.ts"
import { FIRST_RECORDS, monthGroupOptions, valueGroupOptions } from "./group-options.ts"
import { type Grouping, inKnownOrder, type RecordGroup } from "./grouping.ts"

interface Groups {
  readonly groups: readonly RecordGroup[]
  readonly hasMore: boolean
  readonly isLoaded: boolean
  readonly isLive: boolean
  readonly isStale: boolean
  readonly error: Error | undefined
  /** Reads the records of groups by month. It draws nothing, but has to be rendered. */
  readonly followers: ReactNode
}

interface GroupsRead {
  readonly schema: CollectionSchema
  readonly grouping: Grouping
  readonly options: ListOptions
  /** The number of groups to read. */
  readonly limit: number
  readonly isOpen: (group: RecordGroup) => boolean
  /** Returns the filter of the list with the records of one group. */
  readonly filterOfGroup: (group: RecordGroup) => ListFilter
}

/** Follows the groups of a list, and the first records of each. */
export function useGroups(read: GroupsRead): Groups {
  const byMonth = useMonths(read)
  const byValue = useValues(read)
  return read.grouping.by === "month" ? byMonth : byValue
}

function useValues({ schema, grouping, options, limit }: GroupsRead): Groups {
  const wanted = grouping.by === "value" ? valueGroupOptions(options, grouping, limit) : null
  const { data, status, error } = useLive(collectionHandle(schema.name), wanted)
  // A find with groups answers a page of groups.
  const answered = data as unknown as GroupedPage<ConsoleRecord> | undefined
  // The groups by another field stay until the new ones are there.
  const page = answered?.groupBy === grouping.field.name ? answered : undefined
  const groups = useMemo(() => {
    const found = (page?.groups ?? []).map((group) => ({ ...group, title: group.title }))
    return inKnownOrder(found, grouping)
  }, [page, grouping])
  return {
    groups,
    hasMore: page?.hasNextPage ?? false,
    isLoaded: page !== undefined,
    isLive: status === "live",
    isStale: status === "stale",
    error: error ?? undefined,
    followers: null,
  }
}

function useMonths({ schema, grouping, options, limit, isOpen, filterOfGroup }: GroupsRead): Groups {
  const wanted = grouping.by === "month" ? monthGroupOptions(options, grouping, limit) : null
  const { data, status, error } = useLiveAggregate(collectionHandle(schema.name), wanted)
  const [docs, setDocs] = useState<ReadonlyMap<string, readonly ConsoleRecord[]>>(new Map())
  const onDocs = useCallback((key: string, found: readonly ConsoleRecord[]) => {
    setDocs((former) => new Map(former).set(key, found))
  }, [])
  const groups = useMemo(
    () => monthsIn(data, grouping).map((group) => ({ ...group, docs: docs.get(group.key) })),
    [data, grouping, docs],
  )
  const followers = groups
    .filter((group) => isOpen(group))
    .map((group) => (
      <FollowedGroup
        key={group.key}
        collection={schema.name}
        groupKey={group.key}
        // Equal options are one topic, so that another object does no harm.
        options={{ ...options, ...filterOfGroup(group) }}
        onDocs={onDocs}
      />
    ))
  return {
    groups,
    hasMore: data !== undefined && "hasMore" in data && data.hasMore === true,
    isLoaded: data !== undefined && status !== "pending",
    isLive: status === "live",
    isStale: status === "stale",
    error: error ?? undefined,
    followers,
  }
}

function monthsIn(data: unknown, { field }: Grouping): readonly Omit<RecordGroup, "docs">[] {
  // An aggregate with groups answers them with their keys and the requested count.
  const { groups = [] } = Object(data) as { groups?: readonly { key: Record<string, unknown>; count: number }[] }
  const ofField = groups.filter(({ key }) => Object.hasOwn(key, field.name))
  return ofField.map(({ key, count }) => {
    const value = key[field.name] ?? null
    return { key: value === null ? "__empty" : String(value), value, title: undefined, count }
  })
}

interface FollowedGroupProps {
  readonly collection: string
  readonly groupKey: string
  readonly options: object
  readonly onDocs: (key: string, docs: readonly ConsoleRecord[]) => void
}

const FollowedGroup = memo(function FollowedGroup({ collection, groupKey, options, onDocs }: FollowedGroupProps) {
  const { data, status } = useLive(collectionHandle(collection), { ...options, limit: FIRST_RECORDS, total: false })
  useEffect(() => {
    // Every record that the API answers has an id.
    if (data !== undefined && status !== "pending") onDocs(groupKey, data.docs as unknown as readonly ConsoleRecord[])
  }, [groupKey, data, status, onDocs])
  return null
})
