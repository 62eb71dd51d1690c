import type { CollectionSchema } from "kit/client"
import { useLive } from "kit/react"
import { useEffect, useMemo, useState } from "react"
import { useFirstScreenShown } from "../../kit/first-screen.ts"
import { type FollowedWindow, useListWindow } from "../../kit/list-window/use-list-window.tsx"
import { collectionHandle } from "../../kit/resources.ts"
import { useFindSchema } from "../../kit/schemas.ts"
import { useReportedStaleness } from "../../shell/connection.ts"
import { type Column, coverOf } from "./columns.ts"
import { type ResolvedCondition, resolveCondition } from "./filter/resolve-condition.ts"
import { filterOf, type ListFilter, type ListOptions, orderOf, selectionOf } from "./list-options.ts"
import type { ListState } from "./list-state.ts"

/** The largest number that is counted. A list says of more that they are more. */
const MAX_COUNTED = 10_000
// The count follows a list that changes all the time, or a search that is typed, at a distance.
const COUNT_DELAY_MS = 400

export interface ListCount {
  readonly count: number | undefined
  /** True if there are more than were counted. */
  readonly isMore: boolean
}

export interface ShownCondition {
  /** Null if the descriptions do not know what the condition means. */
  readonly resolved: ResolvedCondition | null
}

export interface List {
  readonly followed: FollowedWindow
  readonly conditions: readonly ShownCondition[]
  /** Null while it is not known what the list has. */
  readonly filter: ListFilter | null
  /** The options that read the list, without its pages. */
  readonly options: ListOptions | null
  readonly count: ListCount
}

interface ListRead {
  readonly collection: string
  /** Undefined while it is being read. */
  readonly schema: CollectionSchema | undefined
  readonly columns: readonly Column[]
  readonly state: ListState
  /** True if the records are read in groups, by another read than that of a list. */
  readonly isGrouped: boolean
}

/** Reads the list that an address describes, and how many records it has. */
export function useList({ collection, schema, columns, state, isGrouped }: ListRead): List {
  const findSchema = useFindSchema()
  const found = useMemo(
    () => (schema ? state.conditions.map((condition) => resolveCondition(schema, condition, findSchema)) : []),
    [schema, state.conditions, findSchema],
  )
  const isReady = schema !== undefined && found.every((condition) => condition !== undefined)
  const conditions = found.map((resolved) => ({ resolved: resolved ?? null }))
  const filter = useMemo(() => {
    return isReady
      ? filterOf(
          schema,
          state,
          found.filter((condition) => condition !== null && condition !== undefined),
        )
      : null
  }, [isReady, schema, state, found])
  const options = useMemo((): ListOptions | null => {
    if (filter === null || schema === undefined) return null
    const orderBy = orderOf(schema, state)
    return { ...filter, ...selectionOf(schema, columns, coverOf(schema)), ...(orderBy && { orderBy }) }
  }, [filter, schema, state, columns])
  const followed = useListWindow(collection, isGrouped ? null : options)
  const { isLoaded } = followed.state
  useFirstScreenShown(isLoaded || followed.status === "error")
  useReportedStaleness(followed.status === "stale")
  // The rows come first. A list that starts again at another place still has the same number of them.
  const [counted, setCounted] = useState<ListFilter | null>(null)
  if ((isLoaded || isGrouped) && counted !== filter) setCounted(filter)
  const count = useListCount(collection, counted === filter ? filter : null)
  return { followed, conditions, filter, options, count }
}

/** Follows the number of records after the rows have come. Null counts nothing. */
export function useListCount(collection: string, filter: ListFilter | null): ListCount {
  const settled = useSettled(filter)
  const options = settled === null ? null : { ...settled, max: MAX_COUNTED + 1 }
  const { data } = useLive(collectionHandle(collection).total, options, { keep: false })
  if (data === undefined || filter === null) return { count: undefined, isMore: false }
  return { count: Math.min(data, MAX_COUNTED), isMore: data > MAX_COUNTED }
}

function useSettled<Value>(value: Value): Value | null {
  const key = JSON.stringify(value)
  const [settled, settle] = useState<{ readonly key: string; readonly value: Value } | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => settle({ key, value }), COUNT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [key, value])
  return settled !== null && settled.key === key ? settled.value : null
}
