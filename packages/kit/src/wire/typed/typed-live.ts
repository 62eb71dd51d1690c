import type { IterationSettings, LiveSettings, Snapshots } from "../realtime/live-operations.ts"
import type { Found } from "../results/found.ts"
import type { Page } from "../results/results.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { WithOption } from "./exact.ts"
import type { TypesIn } from "./typed-operations.ts"
import type { WatchCollection, WatchRecord } from "./typed-watch.ts"

/** The live queries of a collection. Each snapshot is a page of records with all columns, as `find` returns it. */
export interface LiveCollection<Types extends CollectionTypes> extends WatchCollection<Types> {
  live<const With extends Types["with"] = never, const Locale extends Types["locale"] | "*" = never>(
    options: LiveOptionsOf<Types, With, Locale> | undefined,
    onSnapshot: (page: Page<Found<TypesIn<Types, Locale>, With, never>>) => void,
    settings?: LiveSettings,
  ): () => void
  liveIter<const With extends Types["with"] = never, const Locale extends Types["locale"] | "*" = never>(
    options?: LiveOptionsOf<Types, With, Locale>,
    settings?: IterationSettings,
  ): Snapshots<Page<Found<TypesIn<Types, Locale>, With, never>>>
}

/** The live queries of a global. Each snapshot is the global's record, as `get` returns it. */
export interface LiveGlobal<Types extends GlobalTypes> extends WatchRecord<"global", Types> {
  live<const With extends Types["with"] = never, const Locale extends Types["locale"] | "*" = never>(
    options: LiveRecordOptions<Types, With, Locale> | undefined,
    onSnapshot: (record: Found<TypesIn<Types, Locale>, With, never> | null) => void,
    settings?: LiveSettings,
  ): () => void
  liveIter<const With extends Types["with"] = never, const Locale extends Types["locale"] | "*" = never>(
    options?: LiveRecordOptions<Types, With, Locale>,
    settings?: IterationSettings,
  ): Snapshots<Found<TypesIn<Types, Locale>, With, never> | null>
}

/** The options of a live query on a collection. The type of the snapshots depends only on `with` and `locale`. */
export interface LiveOptionsOf<Types extends CollectionTypes, With, Locale> {
  where?: Types["where"] | undefined
  with?: WithOption<Types, With>
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][] | undefined
  limit?: number | undefined
  offset?: number | undefined
  locale?: Locale | undefined
}

interface LiveRecordOptions<Types extends GlobalTypes, With, Locale> {
  with?: WithOption<Types, With>
  locale?: Locale | undefined
}
