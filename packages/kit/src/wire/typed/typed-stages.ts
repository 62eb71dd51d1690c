import type { DryRunOption } from "../options/query-options.ts"
import type { Found } from "../results/found.ts"
import type { PendingTransition } from "../results/operations.ts"
import type { DeleteManyResult, DeleteResult } from "../results/results.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type {
  AllRecords,
  ChangeAll,
  ChangeMany,
  ChangeOf,
  CountAndWrites,
  LocaleOptions,
  LocaleOptionsOf,
  ManyOf,
  TargetOf,
  WriteSelection,
} from "./typed-operations.ts"

/** The write operations on a collection whose records have stages. Each of them may name a stage. */
export interface StagedWrites<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> extends CountAndWrites<Types, Options, PerCall> {
  /** Creates a record. With `stage`, the new record also transitions to that stage. */
  create<const With extends Types["with"] = never, const Columns extends Types["columns"] = never>(
    data: Types["create"],
    options: Options & StageOption<Types> & WriteSelection<Types, With, Columns>,
  ): Promise<Found<Types, With, Columns>>
  create(data: Types["create"], options?: Options & StageOption<Types> & DryRunOption): Promise<Types["record"]>
  /** Changes a record. With `stage`, changes the copy of the record in that stage, and not the working copy. */
  updateById<const With extends Types["with"] = never, const Columns extends Types["columns"] = never>(
    change: ChangeOf<Types>,
    options: Options & StageOption<Types> & WriteSelection<Types, With, Columns>,
  ): Promise<Found<Types, With, Columns>>
  updateById(change: ChangeOf<Types>, options?: Options & StageOption<Types> & DryRunOption): Promise<Types["record"]>
  /**
   * Changes all records that match the filter, or none. With `stage`, the filter applies to the copies of the records in
   * that stage, and these copies are changed.
   */
  updateMany(
    change: ChangeMany<Types> | ChangeAll<Types>,
    options?: Options & StageOption<Types>,
  ): Promise<readonly Types["record"][]>
  /**
   * Changes each of these records with its own data: all of the records, or none of them. With `stage`, changes the
   * copies of the records in that stage.
   */
  updateBatch(
    batch: { updates: readonly ChangeOf<Types>[] },
    options?: Options & StageOption<Types>,
  ): Promise<readonly Types["record"][]>
  /** Deletes a record. With `stage`, withdraws the record from that stage: deletes only its copy there. */
  deleteById(target: TargetOf<Types>, options?: Options & StageOption<Types>): Promise<DeleteResult<Types["record"]>>
  /**
   * Deletes all records that match the filter. With `stage`, the filter applies to the copies of the records in that
   * stage, and the records are only withdrawn from it.
   */
  deleteMany(target: ManyOf<Types> | AllRecords, options?: Options & StageOption<Types>): Promise<DeleteManyResult>
}

/** The stage whose copies of the records an operation reads or writes. */
export interface StageOption<Types extends GlobalTypes> {
  stage?: Types["stage"] | undefined
}

/** The operations on the stages of records in a collection. */
export interface Stages<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Transitions a record to a stage. Reads of that stage then return the record as it is now. */
  transitionStage(
    target: TransitionOf<Types> & { id: string; expectedRevision?: Types["expectedRevision"] | undefined },
    options?: Options,
  ): Promise<Types["record"]>
  /** Returns the pending transition of a record, or null. Only callers who may make the transition can see it. */
  findTransition(target: { id: string }, options?: Options): Promise<PendingTransition<Types["stage"]> | null>
  /** Cancels the pending transition of a record and returns it. Fails with `CONFLICT` if there is none. */
  cancelTransition(
    target: { id: string; expectedRevision?: Types["expectedRevision"] | undefined },
    options?: Options,
  ): Promise<PendingTransition<Types["stage"]>>
}

/** The operations on the stages of a global, as `Stages` has them for a collection. */
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
  /** The time at which the transition happens; if omitted, it happens now. */
  scheduledAt?: Date | string | undefined
}
