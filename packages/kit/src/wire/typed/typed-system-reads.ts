import type { Found, Selected } from "../results/found.ts"
import type { Page } from "../results/results.ts"
import type { CollectionTypes } from "./app-config.ts"
import type {
  CursorValue,
  GroupByOptions,
  GroupedOptionsOf,
  PageOf,
  PageOrOffset,
  Reads,
  TypesIn,
  WithCursors,
} from "./typed-operations.ts"

/**
 * The read operations for system code, to which all fields are visible. Each operation has three overloads. The second
 * one has the types for a caller: it makes this interface assignable to a caller's read operations, and `this: never`
 * prevents every call of it. The first and the third are the same overload for system code, because editors complete
 * names from the first overload and the compiler reports the errors of the last one.
 */
export interface SystemReads<System extends CollectionTypes, Caller extends CollectionTypes> extends Reads {
  find<
    const With extends System["with"] = never,
    const Columns extends System["columns"] = never,
    const Group extends GroupOf<System> = never,
    const Locale extends System["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Cursor extends CursorValue = undefined,
  >(
    options?: OptionsOf<System, With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<FoundPage<System, With, Columns, Group, Locale>, Cursor>>
  find<
    const With extends Caller["with"] = never,
    const Columns extends Caller["columns"] = never,
    const Group extends GroupOf<Caller> = never,
    const Locale extends Caller["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Cursor extends CursorValue = undefined,
  >(
    this: never,
    options?: OptionsOf<Caller, With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<FoundPage<Caller, With, Columns, Group, Locale>, Cursor>>
  find<
    const With extends System["with"] = never,
    const Columns extends System["columns"] = never,
    const Group extends GroupOf<System> = never,
    const Locale extends System["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Cursor extends CursorValue = undefined,
  >(
    options?: OptionsOf<System, With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<FoundPage<System, With, Columns, Group, Locale>, Cursor>>
  findOne<
    const With extends System["with"] = never,
    const Columns extends System["columns"] = never,
    const Locale extends System["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
  >(
    options?: OptionsOf<System, With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<FoundOne<System, With, Columns, Locale> | null>
  findOne<
    const With extends Caller["with"] = never,
    const Columns extends Caller["columns"] = never,
    const Locale extends Caller["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
  >(
    this: never,
    options?: OptionsOf<Caller, With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<FoundOne<Caller, With, Columns, Locale> | null>
  findOne<
    const With extends System["with"] = never,
    const Columns extends System["columns"] = never,
    const Locale extends System["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
  >(
    options?: OptionsOf<System, With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<FoundOne<System, With, Columns, Locale> | null>
}

type FoundPage<Types extends CollectionTypes, With, Columns, Group, Locale> = "*" extends Locale
  ? PageOf<Types, With, Columns, Group, TypesIn<Types, "*">>
  : With | Columns | Group extends never
    ? Page<Types["record"]>
    : PageOf<Types, With, Columns, Group>

type FoundOne<Types extends CollectionTypes, With, Columns, Locale> = "*" extends Locale
  ? Found<TypesIn<Types, "*">, With, Columns>
  : With | Columns extends never
    ? Types["record"]
    : Selected<Types, With, Columns>

type GroupOf<Types extends CollectionTypes> =
  | keyof Types["orderBy"]
  | GroupByOptions<keyof Types["orderBy"]>
  | undefined

interface OptionsOf<Types extends CollectionTypes, With, Columns, Group, Locale extends string>
  extends GroupedOptionsOf<Types, With, Columns, Group> {
  locale?: Locale | undefined
}
