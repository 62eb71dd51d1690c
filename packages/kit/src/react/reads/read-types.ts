import type { HandleKind } from "../../wire/realtime/handle.ts"
import type { Found } from "../../wire/results/found.ts"
import type { PageCursors } from "../../wire/results/results.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type { CountOptionsOf, CursorValue, GroupByOf, PageOf, TypesIn } from "../../wire/typed/typed-operations.ts"
import type { PagedOptionsOf, RecordOptionsOf } from "../../wire/typed/typed-watch.ts"

/** The kinds of handles that the hooks for records take. Aggregates have hooks of their own. */
export type ReadableKind = Exclude<HandleKind, "session" | "aggregates">

/** The type of `groupBy` in the read of a collection. */
export type GroupOf<Types> = Types extends CollectionTypes ? GroupByOf<Types> : never

/**
 * The options of a handle's read. A function that takes handles of every kind has one signature with this type, not an
 * overload for each kind: the compiler describes a mistake by the last overload, which may be that of another kind.
 */
export type OptionsOf<
  Kind extends ReadableKind,
  Types extends GlobalTypes,
  With,
  Columns,
  Group,
  Locale extends string,
  PageNumber extends number | undefined,
  Cursor extends CursorValue = undefined,
> = Kind extends "record" | "global"
  ? RecordOptionsOf<Types, With, Columns, Locale>
  : Types extends CollectionTypes
    ? Kind extends "total"
      ? CountOptionsOf<Types>
      : PagedOptionsOf<Types, With, Columns, Group, Locale, PageNumber, Cursor>
    : never

/** The data that a handle's read returns. */
export type DataOf<
  Kind extends ReadableKind,
  Types extends GlobalTypes,
  With,
  Columns,
  Group,
  Locale,
  Cursor = undefined,
> = Kind extends "total"
  ? number
  : Kind extends "collection"
    ? Types extends CollectionTypes
      ? PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>> & (undefined extends Cursor ? unknown : PageCursors)
      : never
    : Found<TypesIn<Types, Locale>, With, Columns> | null
