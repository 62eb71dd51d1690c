import type { Handle } from "../../wire/realtime/handle.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type { CursorValue } from "../../wire/typed/typed-operations.ts"
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

/**
 * The null among the options of a hook that takes null. The compiler infers `Given` from the options as a whole: it
 * includes null only if they do. The conditional type is always `Null`, but not before the compiler has inferred `Types`;
 * from a plain `null & Given`, it would infer nothing. An overload for null would cost more for each call that has it (see
 * hook-cost.test.ts).
 */
type NullIn<Given, Types, Null> = Given & (Types extends GlobalTypes ? Null : never)

type IdleOf<Hook extends keyof IdleResults, Given> = null extends Given ? IdleResults[Hook] : never

/**
 * A hook that reads the result of a handle, with the options of the handle's read. If its options are null, it reads
 * nothing; `Null` is `never` if they cannot be null.
 */
export type ReadHook<Hook extends keyof IdleResults, Null extends null = null> = <
  Kind extends ReadableKind,
  Types extends GlobalTypes = CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Group extends GroupOf<Types> | undefined = never,
  const Locale extends Types["locale"] | "*" = never,
  PageNumber extends number | undefined = undefined,
  Cursor extends CursorValue = undefined,
  Selected = DataOf<Kind, Types, With, Columns, Group, Locale, Cursor>,
  Given = never,
>(
  handle: Handle<Kind, Types>,
  options?: OptionsOf<Kind, Types, With, Columns, Group, Locale, PageNumber, Cursor> | NullIn<Given, Types, Null>,
  settings?: ReadSettingsOf<DataOf<Kind, Types, With, Columns, Group, Locale, Cursor>, Selected>,
) => ResultsOf<Selected>[Hook] | IdleOf<Hook, Given>
