import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { LocaleOptions, LocaleOptionsOf } from "./typed-operations.ts"

/** What a collection whose records go through stages can do with them. */
export interface Stages<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Moves a record to a stage, which then shows it as it is now. */
  transitionStage(
    target: { id: string; stage: Types["stage"]; expectedRevision?: Types["expectedRevision"] | undefined },
    options?: Options,
  ): Promise<Types["record"]>
}

/** As `Stages`, of a global. */
export interface GlobalStages<
  Types extends GlobalTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  transitionStage(
    target: { stage: Types["stage"] },
    options?: Options & { expectedRevision?: Types["expectedRevision"] | undefined },
  ): Promise<Types["record"]>
}
