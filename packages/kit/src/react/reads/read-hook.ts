import type { Handle } from "../../wire/realtime/handle.ts"
import type { Found } from "../../wire/results/found.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type { CountOptionsOf, GroupByOf, PageOf, TypesIn } from "../../wire/typed/typed-operations.ts"
import type { PagedOptionsOf, RecordOptionsOf } from "../../wire/typed/typed-watch.ts"
import type { FindResult, IdleRead } from "./find-result.ts"
import type { IdleResult, LiveResult } from "./live-result.ts"
import type { ReadSettingsOf } from "./read-settings.ts"

/** The results of the hooks for data of this type, by the kind of hook; a suspense hook returns the data itself. */
interface ResultsOf<Data> {
  live: LiveResult<Data>
  find: FindResult<Data>
  suspense: Data
}

/** The results of the hooks if their options are null. */
interface IdleResults {
  live: IdleResult
  find: IdleRead
  suspense: never
}

/**
 * The null among the options of a hook that takes null. The compiler infers `Given` from the options as a whole: it
 * includes null only if they do. The conditional type is always `Null`, but not before the compiler has inferred `Types`;
 * from a plain `null & Given`, it would infer nothing. Overloads for null would cost 180 instantiations more for each call
 * that has them (469 in place of 290, see hook-cost.test.ts).
 */
type NullIn<Given, Types, Null> = Given & (Types extends GlobalTypes ? Null : never)

type IdleOf<Kind extends keyof IdleResults, Given> = null extends Given ? IdleResults[Kind] : never

/**
 * A hook that reads the result of a handle, with the options of the handle's read. If its options are null, it reads
 * nothing; `Null` is `never` if they cannot be null.
 */
export interface ReadHook<Kind extends keyof IdleResults, Null extends null = null> {
  <
    Types extends CollectionTypes,
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Group extends GroupByOf<Types> | undefined = never,
    const Locale extends Types["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Selected = PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>,
    Given = never,
  >(
    handle: Handle<"collection", Types>,
    options?: PagedOptionsOf<Types, With, Columns, Group, Locale, PageNumber> | NullIn<Given, Types, Null>,
    settings?: ReadSettingsOf<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Selected>,
  ): ResultsOf<Selected>[Kind] | IdleOf<Kind, Given>
  <
    Types extends GlobalTypes,
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
    Selected = Found<TypesIn<Types, Locale>, With, Columns> | null,
    Given = never,
  >(
    handle: Handle<"record" | "global", Types>,
    options?: RecordOptionsOf<Types, With, Columns, Locale> | NullIn<Given, Types, Null>,
    settings?: ReadSettingsOf<Found<TypesIn<Types, Locale>, With, Columns> | null, Selected>,
  ): ResultsOf<Selected>[Kind] | IdleOf<Kind, Given>
  <Types extends CollectionTypes, Selected = number, Given = never>(
    handle: Handle<"total", Types>,
    options?: CountOptionsOf<Types> | NullIn<Given, Types, Null>,
    settings?: ReadSettingsOf<number, Selected>,
  ): ResultsOf<Selected>[Kind] | IdleOf<Kind, Given>
}
