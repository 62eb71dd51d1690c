import type { Handle } from "../../wire/realtime/handle.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type { FindResult, IdleRead } from "./find-result.ts"
import type { IdleResult, LiveResult } from "./live-result.ts"
import type { ReadSettingsOf } from "./read-settings.ts"
import type { DataOf, GroupOf, OptionsOf, ReadableKind } from "./read-types.ts"

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

/** A hook that reads the result of a handle, with the options of the handle's read. */
export type SureHook<Hook extends keyof IdleResults> = <
  Kind extends ReadableKind,
  Types extends GlobalTypes = CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Group extends GroupOf<Types> | undefined = never,
  const Locale extends Types["locale"] | "*" = never,
  PageNumber extends number | undefined = undefined,
  Selected = DataOf<Kind, Types, With, Columns, Group, Locale>,
>(
  handle: Handle<Kind, Types>,
  options?: OptionsOf<Kind, Types, With, Columns, Group, Locale, PageNumber>,
  settings?: ReadSettingsOf<DataOf<Kind, Types, With, Columns, Group, Locale>, Selected>,
) => ResultsOf<Selected>[Hook]

/** The same as `SureHook`, for options that may be null. */
type SkippingHook<Hook extends keyof IdleResults> = <
  Kind extends ReadableKind,
  Types extends GlobalTypes = CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Group extends GroupOf<Types> | undefined = never,
  const Locale extends Types["locale"] | "*" = never,
  PageNumber extends number | undefined = undefined,
  Selected = DataOf<Kind, Types, With, Columns, Group, Locale>,
>(
  handle: Handle<Kind, Types>,
  options: OptionsOf<Kind, Types, With, Columns, Group, Locale, PageNumber> | null | undefined,
  settings?: ReadSettingsOf<DataOf<Kind, Types, With, Columns, Group, Locale>, Selected>,
) => ResultsOf<Selected>[Hook] | IdleResults[Hook]

/** A hook that reads the result of a handle. If its options are null, it reads nothing. */
export type ReadHook<Hook extends keyof IdleResults> = SureHook<Hook> & SkippingHook<Hook>
