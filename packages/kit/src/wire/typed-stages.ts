import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { LocaleOptions, LocaleOptionsOf } from "./typed-operations.ts"

/** What a collection whose records go through stages can do with them. */
export interface Stages<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Moves a record to a stage, which then shows it as it is now. */
  transitionStage(
    target: MoveOf<Types> & { id: string; expectedRevision?: Types["expectedRevision"] | undefined },
    options?: Options,
  ): Promise<Types["record"]>
}

/** As `Stages`, of a global. */
export interface GlobalStages<
  Types extends GlobalTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  transitionStage(
    target: MoveOf<Types>,
    options?: Options & { expectedRevision?: Types["expectedRevision"] | undefined },
  ): Promise<Types["record"]>
}

interface MoveOf<Types extends GlobalTypes> {
  stage: Types["stage"]
  /** When it is to move there; now unless given. */
  scheduledAt?: Date | string | undefined
}
