import type { PendingTransition } from "../results/operations.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { ChangeOf, CountAndWrites, LocaleOptions, LocaleOptionsOf } from "./typed-operations.ts"

/** The writes of a collection whose records have stages. A write of a single record may name a stage. */
export interface StagedWrites<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> extends CountAndWrites<Types, Options, PerCall> {
  /** With `stage`, the new record also transitions to that stage. */
  create(data: Types["create"], options?: Options & StageOption<Types>): Promise<Types["record"]>
  /** With `stage`, changes the copy of the record in that stage, and not the working copy. */
  updateById(change: ChangeOf<Types>, options?: Options & StageOption<Types>): Promise<Types["record"]>
}

interface StageOption<Types extends GlobalTypes> {
  stage?: Types["stage"] | undefined
}

/** The operations on the stages of a collection's records. */
export interface Stages<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Transitions a record to a stage, which then shows the record as it is now. */
  transitionStage(
    target: TransitionOf<Types> & { id: string; expectedRevision?: Types["expectedRevision"] | undefined },
    options?: Options,
  ): Promise<Types["record"]>
  /** Returns the pending transition of a record, or null. Only callers who may make that transition see it. */
  findTransition(target: { id: string }, options?: Options): Promise<PendingTransition<Types["stage"]> | null>
  /** Cancels and returns the pending transition of a record; without one, the call fails with a conflict. */
  cancelTransition(
    target: { id: string; expectedRevision?: Types["expectedRevision"] | undefined },
    options?: Options,
  ): Promise<PendingTransition<Types["stage"]>>
}

/** The same as `Stages`, for a global. */
export interface GlobalStages<
  Types extends GlobalTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  transitionStage(
    target: TransitionOf<Types>,
    options?: Options & { expectedRevision?: Types["expectedRevision"] | undefined },
  ): Promise<Types["record"]>
  findTransition(options?: Options): Promise<PendingTransition<Types["stage"]> | null>
  cancelTransition(
    options?: Options & { expectedRevision?: Types["expectedRevision"] | undefined },
  ): Promise<PendingTransition<Types["stage"]>>
}

interface TransitionOf<Types extends GlobalTypes> {
  stage: Types["stage"]
  /** The time of the transition; now if omitted. */
  scheduledAt?: Date | string | undefined
}
