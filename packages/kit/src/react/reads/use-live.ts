import type { Handle } from "../../wire/realtime/handle.ts"
import type { Found } from "../../wire/results/found.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type { CountOptionsOf, GroupByOf, PageOf, PageOrOffset, TypesIn } from "../../wire/typed/typed-operations.ts"
import type { RecordOptionsOf, WatchOptionsOf } from "../../wire/typed/typed-watch.ts"
import { LiveEntry } from "../store/live-entry.ts"
import { factsOf } from "./facts-of.ts"
import type { IdleResult, LiveResult, ReadSettingsOf } from "./live-result.ts"
import { type ReadKind, type ReadSettings, useEntry } from "./use-entry.ts"

/** The reads that follow their topic. */
export const LIVE: ReadKind = { name: "live", make: (...given) => new LiveEntry(...given) }

/**
 * Shows the result of a handle, and every new one: a page of records for a collection, one record or null for a record
 * or a global, and a number for `total`. Options that are null read nothing.
 *
 * const board = useLive(client.collections.articles, { where: { status: "writing" }, limit: 20 })
 */
export function useLive<
  Types extends CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Group extends GroupByOf<Types> | undefined = never,
  const Locale extends Types["locale"] | "*" = never,
  PageNumber extends number | undefined = undefined,
  Selected = PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>,
>(
  handle: Handle<"collection", Types>,
  options?: WatchOptionsOf<Types, With, Columns, Group, Locale> & PageOrOffset<PageNumber>,
  settings?: ReadSettingsOf<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Selected>,
): LiveResult<Selected>
export function useLive<
  Types extends CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Group extends GroupByOf<Types> | undefined = never,
  const Locale extends Types["locale"] | "*" = never,
  PageNumber extends number | undefined = undefined,
  Selected = PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>,
>(
  handle: Handle<"collection", Types>,
  options: (WatchOptionsOf<Types, With, Columns, Group, Locale> & PageOrOffset<PageNumber>) | null | undefined,
  settings?: ReadSettingsOf<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Selected>,
): LiveResult<Selected> | IdleResult
export function useLive<
  Types extends GlobalTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Locale extends Types["locale"] | "*" = never,
  Selected = Found<TypesIn<Types, Locale>, With, Columns> | null,
>(
  handle: Handle<"record" | "global", Types>,
  options?: RecordOptionsOf<Types, With, Columns, Locale>,
  settings?: ReadSettingsOf<Found<TypesIn<Types, Locale>, With, Columns> | null, Selected>,
): LiveResult<Selected>
export function useLive<
  Types extends GlobalTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Locale extends Types["locale"] | "*" = never,
  Selected = Found<TypesIn<Types, Locale>, With, Columns> | null,
>(
  handle: Handle<"record" | "global", Types>,
  options: RecordOptionsOf<Types, With, Columns, Locale> | null | undefined,
  settings?: ReadSettingsOf<Found<TypesIn<Types, Locale>, With, Columns> | null, Selected>,
): LiveResult<Selected> | IdleResult
export function useLive<Types extends CollectionTypes, Selected = number>(
  handle: Handle<"total", Types>,
  options?: CountOptionsOf<Types>,
  settings?: ReadSettingsOf<number, Selected>,
): LiveResult<Selected>
export function useLive<Types extends CollectionTypes, Selected = number>(
  handle: Handle<"total", Types>,
  options: CountOptionsOf<Types> | null | undefined,
  settings?: ReadSettingsOf<number, Selected>,
): LiveResult<Selected> | IdleResult
export function useLive(
  handle: Handle,
  options?: object | null,
  settings?: ReadSettings,
): LiveResult<unknown> | IdleResult {
  // The cast is safe: the members of a live entry's result depend on its status as the type says.
  return useEntry({ kind: LIVE, facts: factsOf(handle, "useLive"), options }, settings) as LiveResult<unknown>
}
