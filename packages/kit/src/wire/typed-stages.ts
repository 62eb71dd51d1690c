import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { ChangeOf, CountAndWrites, LocaleOptions, LocaleOptionsOf } from "./typed-operations.ts"

/** The writes of a collection whose records go through stages: those of one record may name a stage. */
export interface StagedWrites<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> extends CountAndWrites<Types, Options, PerCall> {
  /** With `stage`, the new record is moved there at once. */
  create(data: Types["create"], options?: Options & WrittenStage<Types>): Promise<Types["record"]>
  /** With `stage`, its copy there is changed, and not what is worked on. */
  updateById(change: ChangeOf<Types>, options?: Options & WrittenStage<Types>): Promise<Types["record"]>
}

interface WrittenStage<Types extends GlobalTypes> {
  stage?: Types["stage"] | undefined
}

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
