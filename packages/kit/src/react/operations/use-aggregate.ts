import type { Handle } from "../../wire/realtime/handle.ts"
import type { CollectionTypes } from "../../wire/typed/app-config.ts"
import type {
  AggregateGroupOf,
  AggregateOf,
  AggregateOptionsOf,
  NumberFlags,
  OrderedFlags,
} from "../../wire/typed/typed-aggregates.ts"
import { factsOf } from "../reads/facts-of.ts"
import type { FindResult, IdleRead } from "../reads/find-result.ts"
import type { IdleResult, LiveResult } from "../reads/live-result.ts"
import type { ReadSettingsOf } from "../reads/read-settings.ts"
import { type ReadSettings, useEntry } from "../reads/use-entry.ts"
import { LIVE } from "../reads/use-live.ts"
import { useRead } from "./use-read.ts"

/** The results of a hook with data of this type. */
interface ResultsOf<Data> {
  once: FindResult<Data>
  live: LiveResult<Data>
}

interface IdleResults {
  once: IdleRead
  live: IdleResult
}

type AggregateHook<Kind extends keyof IdleResults> = <
  Types extends CollectionTypes,
  const Group extends AggregateGroupOf<Types> | undefined = never,
  const Count extends true | undefined = never,
  const Sum extends NumberFlags<Types> | undefined = never,
  const Avg extends NumberFlags<Types> | undefined = never,
  const Min extends OrderedFlags<Types> | undefined = never,
  const Max extends OrderedFlags<Types> | undefined = never,
  Selected = AggregateOf<Types, Group, Count, Sum, Avg, Min, Max>,
  Given = never,
>(
  collection: Handle<"collection", Types>,
  options: AggregateOptionsOf<Types, Group, Count, Sum, Avg, Min, Max> | (Given & NullFor<Types>),
  settings?: ReadSettingsOf<AggregateOf<Types, Group, Count, Sum, Avg, Min, Max>, Selected>,
) => ResultsOf<Selected>[Kind] | IdleOf<Kind, Given>

// A conditional type that is always null, but not before the compiler has inferred the type parameters: from a plain null,
// it would infer nothing about the options.
type NullFor<Types> = Types extends CollectionTypes ? null : never

type IdleOf<Kind extends keyof IdleResults, Given> = null extends Given ? IdleResults[Kind] : never

/**
 * Computes values from records once. Components with equal options share the result. Options that are null read nothing.
 *
 * const { data } = useAggregate(client.collections.orders, { groupBy: "status", count: true })
 */
// The cast is safe: the types only say which values the options request.
export const useAggregate = ((
  collection: { aggregate: never },
  options: null,
  settings?: ReadSettingsOf<never, unknown>,
) => useRead(collection.aggregate, options, settings)) as unknown as AggregateHook<"once">

/**
 * Shows values that are computed from records, and the new ones after each change.
 *
 * const sales = useLiveAggregate(client.collections.orders, { groupBy: "status", sum: { total: true } })
 */
// The cast is safe: the members of a live entry's result depend on its status as the types say.
export const useLiveAggregate = ((handle: Handle, options: object | null, settings?: ReadSettings) => {
  const facts = { ...factsOf(handle, "useLiveAggregate"), kind: "aggregates" } as const
  return useEntry({ kind: LIVE, facts, options }, settings).result
}) as AggregateHook<"live">
