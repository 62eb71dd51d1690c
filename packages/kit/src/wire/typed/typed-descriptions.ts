import type {
  CollectionMeta,
  CollectionSchema,
  GlobalMeta,
  GlobalSchema,
  RecordAccess,
} from "../results/introspection.ts"
import type { GlobalTypes } from "./app-config.ts"

/** The locale of the labels and other texts in a description. */
export interface DescriptionOptions<Locale = string> {
  locale?: Locale | undefined
}

/** The operations that describe a collection to the caller. */
export interface Descriptions<Types extends GlobalTypes, PerCall extends readonly unknown[]> {
  /** Returns a short description: the title, the fields and the options of the collection. */
  meta(options?: DescriptionOptions<Types["locale"]>, ...perCall: PerCall): Promise<CollectionMeta>
  /** Returns the full description, with the access rules evaluated for the caller. */
  schema(options?: DescriptionOptions<Types["locale"]>, ...perCall: PerCall): Promise<CollectionSchema>
  /** Returns what the caller may do with a record. Fails with `NOT_FOUND` if the caller may not read it. */
  access(target: RecordTarget<Types>, ...perCall: PerCall): Promise<RecordAccess>
  /**
   * Returns for each of at most 100 ids, in their order, what `access` returns; null for a record that the caller may not
   * read.
   */
  accessMany(targets: RecordTargets<Types>, ...perCall: PerCall): Promise<readonly (RecordAccess | null)[]>
}

interface TargetOptions<Types extends GlobalTypes> extends DescriptionOptions<Types["locale"]> {
  /** Also finds soft-deleted records; requires the right to delete the record. */
  includeDeleted?: boolean | undefined
}

interface RecordTarget<Types extends GlobalTypes> extends TargetOptions<Types> {
  id: string
}

interface RecordTargets<Types extends GlobalTypes> extends TargetOptions<Types> {
  ids: readonly string[]
}

/** The operations that describe a global to the caller. */
export interface GlobalDescriptions<Types extends GlobalTypes, PerCall extends readonly unknown[]> {
  /** Returns a short description: the fields and the options of the global. */
  meta(options?: DescriptionOptions<Types["locale"]>, ...perCall: PerCall): Promise<GlobalMeta>
  /** Returns the full description, with the access rules evaluated for the caller. */
  schema(options?: DescriptionOptions<Types["locale"]>, ...perCall: PerCall): Promise<GlobalSchema>
  /** Returns what the caller may do with the global. */
  access(options?: DescriptionOptions<Types["locale"]>, ...perCall: PerCall): Promise<RecordAccess>
}
