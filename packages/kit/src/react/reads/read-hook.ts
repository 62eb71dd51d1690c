import type { Handle } from "../../wire/realtime/handle.ts"
import type { Found } from "../../wire/results/found.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type { CountOptionsOf, GroupByOf, PageOf, TypesIn } from "../../wire/typed/typed-operations.ts"
import type { PagedOptionsOf, RecordOptionsOf } from "../../wire/typed/typed-watch.ts"
import type { FindResult, IdleRead } from "./find-result.ts"
import type { IdleResult, LiveResult } from "./live-result.ts"
import type { ReadSettingsOf } from "./read-settings.ts"

/** What the hooks return for data of this type, by the kind of hook; a suspense hook returns the data itself. */
interface ResultsOf<Data> {
  live: LiveResult<Data>
  find: FindResult<Data>
  suspense: Data
}

/** What the hooks return if their options are null. */
interface IdleResults {
  live: IdleResult
  find: IdleRead
  suspense: never
}

/** A hook that reads the result of a handle, with the options of the handle's read. */
export interface SureHook<Kind extends keyof IdleResults> {
  <
    Types extends CollectionTypes,
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Group extends GroupByOf<Types> | undefined = never,
    const Locale extends Types["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Selected = PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>,
  >(
    handle: Handle<"collection", Types>,
    options?: PagedOptionsOf<Types, With, Columns, Group, Locale, PageNumber>,
    settings?: ReadSettingsOf<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Selected>,
  ): ResultsOf<Selected>[Kind]
  <
    Types extends GlobalTypes,
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
    Selected = Found<TypesIn<Types, Locale>, With, Columns> | null,
  >(
    handle: Handle<"record" | "global", Types>,
    options?: RecordOptionsOf<Types, With, Columns, Locale>,
    settings?: ReadSettingsOf<Found<TypesIn<Types, Locale>, With, Columns> | null, Selected>,
  ): ResultsOf<Selected>[Kind]
  <Types extends CollectionTypes, Selected = number>(
    handle: Handle<"total", Types>,
    options?: CountOptionsOf<Types>,
    settings?: ReadSettingsOf<number, Selected>,
  ): ResultsOf<Selected>[Kind]
}

/** The same as `SureHook`, for options that may be null. */
interface SkippingHook<Kind extends keyof IdleResults> {
  <
    Types extends CollectionTypes,
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Group extends GroupByOf<Types> | undefined = never,
    const Locale extends Types["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Selected = PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>,
  >(
    handle: Handle<"collection", Types>,
    options: PagedOptionsOf<Types, With, Columns, Group, Locale, PageNumber> | null | undefined,
    settings?: ReadSettingsOf<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Selected>,
  ): ResultsOf<Selected>[Kind] | IdleResults[Kind]
  <
    Types extends GlobalTypes,
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
    Selected = Found<TypesIn<Types, Locale>, With, Columns> | null,
  >(
    handle: Handle<"record" | "global", Types>,
    options: RecordOptionsOf<Types, With, Columns, Locale> | null | undefined,
    settings?: ReadSettingsOf<Found<TypesIn<Types, Locale>, With, Columns> | null, Selected>,
  ): ResultsOf<Selected>[Kind] | IdleResults[Kind]
  <Types extends CollectionTypes, Selected = number>(
    handle: Handle<"total", Types>,
    options: CountOptionsOf<Types> | null | undefined,
    settings?: ReadSettingsOf<number, Selected>,
  ): ResultsOf<Selected>[Kind] | IdleResults[Kind]
}

/** A hook that reads the result of a handle. If its options are null, it reads nothing. */
export type ReadHook<Kind extends keyof IdleResults> = SureHook<Kind> & SkippingHook<Kind>
