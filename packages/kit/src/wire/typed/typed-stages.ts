import type { WaitingMove } from "../results/operations.ts"
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
  /** The move that waits for a record, for those who may move it to that stage; null where none does. */
  findTransition(target: { id: string }, options?: Options): Promise<WaitingMove<Types["stage"]> | null>
  /** Cancels the move that waits for a record, and answers it; where none waits, that is a conflict. */
  cancelTransition(
    target: { id: string; expectedRevision?: Types["expectedRevision"] | undefined },
    options?: Options,
  ): Promise<WaitingMove<Types["stage"]>>
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
  findTransition(options?: Options): Promise<WaitingMove<Types["stage"]> | null>
  cancelTransition(
    options?: Options & { expectedRevision?: Types["expectedRevision"] | undefined },
  ): Promise<WaitingMove<Types["stage"]>>
}

interface MoveOf<Types extends GlobalTypes> {
  stage: Types["stage"]
  /** When it is to move there; now unless given. */
  scheduledAt?: Date | string | undefined
}
