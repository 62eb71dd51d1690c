import type { ResourceTypes } from "../compile/resource-types.ts"
import type { HandlerContext } from "../context/handler-context.ts"
import type { RegisteredResource } from "../context/register.ts"

/** The names of all hooks. Each name is the point of an operation at which the hook runs. */
export const HOOK_NAMES = [
  "beforeValidate",
  "beforeChange",
  "afterChange",
  "beforeRead",
  "afterRead",
  "beforeDelete",
  "afterDelete",
  "beforeTransition",
  "afterTransition",
] as const

export type HookRow = Readonly<Record<string, unknown>>

interface WriteHookContext extends HandlerContext {
  /** Runs `work` after the write's transaction has committed. `work` never runs if the transaction rolls back. */
  onAfterCommit(work: () => unknown): void
}

/** The context of a hook on a create. If the hook runs after validation, `data` is valid and complete. */
export interface CreatingContext<Data> extends WriteHookContext {
  readonly operation: "create"
  /** The values to write. A hook can change this object, or return another object. */
  readonly data: Data
  readonly original: null
  readonly stage?: undefined
}

/** The context of a hook on a change of a stored record. If the hook runs after validation, `data` is valid. */
export interface ChangingContext<Data, Original> extends WriteHookContext {
  readonly operation: "update" | "restore" | "revert"
  /** The values to write. A hook can change this object, or return another object. */
  readonly data: Data
  /** The whole stored row before the change, hidden fields included. Null for the first write of a global. */
  readonly original: Original
  /** The stage whose copy of the record is changed. `original` is then that copy. Undefined for the working copy. */
  readonly stage?: string | undefined
}

export interface ChangedContext<Row> extends WriteHookContext {
  readonly operation: "create" | "update" | "restore" | "revert"
  /** The values that were written. */
  readonly data: Partial<Row>
  /** The whole row after the write, hidden fields included. */
  readonly row: Row
  readonly original: Row | null
  /** The stage whose copy of the record was changed. `row` is then that copy. Undefined for the working copy. */
  readonly stage?: string | undefined
}

interface DeletingContext<Row> extends WriteHookContext {
  readonly operation: "delete" | "purge"
  readonly original: Row
  /**
   * The stage from which the record is withdrawn. `original` is then the copy in that stage, and the record itself stays.
   * Undefined if the record is deleted.
   */
  readonly stage?: string | undefined
}

interface TransitioningContext<Row> extends WriteHookContext {
  readonly operation: "transition"
  /** The whole stored row before the transition, hidden fields included. */
  readonly original: Row
  readonly from: string
  readonly to: string
}

type ReadOperation = "find" | "get" | "count" | "versions" | "write"

export interface BeforeReadContext extends HandlerContext {
  readonly operation: Exclude<ReadOperation, "write">
  readonly id?: string | undefined
}

interface ReadRecordContext<Shown> extends HandlerContext {
  /** The operation that reads the record. `write` means that the record is part of the response to a write. */
  readonly operation: Exclude<ReadOperation, "count">
  /** The record as the caller will see it. A hook can change this object, or return another object. */
  readonly row: Shown
}

// The context of a hook that runs before validation. Only the field names of the caller's input are already checked.
type UnvalidatedWriteContext<Types extends ResourceTypes> =
  | CreatingContext<Types["input"]>
  | ChangingContext<Types["input"], Types["row"] | Types["firstOriginal"]>

type ValidatedWriteContext<Types extends ResourceTypes> =
  | CreatingContext<Types["data"]>
  | ChangingContext<Types["change"], Types["row"] | Types["firstOriginal"]>

/** The contexts of the hooks on the named collection or global, for authors who write hooks in a separate file. */
export type BeforeValidateContext<Name extends string = string> = UnvalidatedWriteContext<RegisteredResource<Name>>
export type BeforeChangeContext<Name extends string = string> = ValidatedWriteContext<RegisteredResource<Name>>
export type AfterChangeContext<Name extends string = string> = ChangedContext<RegisteredResource<Name>["row"]>
export type AfterReadContext<Name extends string = string> = ReadRecordContext<RegisteredResource<Name>["shown"]>
export type DeleteContext<Name extends string = string> = DeletingContext<RegisteredResource<Name>["row"]>
export type TransitionContext<Name extends string = string> = TransitioningContext<RegisteredResource<Name>["row"]>

/**
 * A hook function, or a list of hook functions that run in order. The declared return type is `void`, and the actual
 * return values are checked only at run time. Another return type would make the compiler infer the type of an author's
 * file from the hooks in it, whose bodies may use that same type.
 */
type Hook<Context> = ((context: Context) => void) | readonly ((context: Context) => void)[]

/** The hooks whose types follow from the type parameter. Generated code writes out the types of the other hooks. */
export interface OtherHooks<Types extends ResourceTypes> {
  readonly beforeValidate?: Hook<UnvalidatedWriteContext<Types>>
  readonly beforeRead?: Hook<BeforeReadContext>
  readonly afterRead?: Hook<ReadRecordContext<Types["shown"]>>
  readonly beforeDelete?: Hook<DeletingContext<Types["row"]>>
  readonly afterDelete?: Hook<DeletingContext<Types["row"]>>
  readonly beforeTransition?: Hook<TransitioningContext<Types["row"]>>
  readonly afterTransition?: Hook<TransitioningContext<Types["row"]>>
}

/** All hooks that the named collection or global can have. */
export interface Hooks<Name extends string = string> extends OtherHooks<RegisteredResource<Name>> {
  readonly beforeChange?: Hook<BeforeChangeContext<Name>>
  readonly afterChange?: Hook<AfterChangeContext<Name>>
}

type HookList<Context> = readonly ((context: Context) => unknown)[]

export interface CompiledHooks {
  readonly beforeValidate: HookList<BeforeValidateContext>
  readonly beforeChange: HookList<BeforeChangeContext>
  readonly afterChange: HookList<AfterChangeContext>
  readonly beforeRead: HookList<BeforeReadContext>
  readonly afterRead: HookList<AfterReadContext>
  readonly beforeDelete: HookList<DeleteContext>
  readonly afterDelete: HookList<DeleteContext>
  readonly beforeTransition: HookList<TransitionContext>
  readonly afterTransition: HookList<TransitionContext>
}

export function compileHooks(hooks: Hooks): CompiledHooks {
  return Object.freeze({
    beforeValidate: listOf(hooks.beforeValidate),
    beforeChange: listOf(hooks.beforeChange),
    afterChange: listOf(hooks.afterChange),
    beforeRead: listOf(hooks.beforeRead),
    afterRead: listOf(hooks.afterRead),
    beforeDelete: listOf(hooks.beforeDelete),
    afterDelete: listOf(hooks.afterDelete),
    beforeTransition: listOf(hooks.beforeTransition),
    afterTransition: listOf(hooks.afterTransition),
  })
}

function listOf<Given extends (context: never) => unknown>(
  given: Given | readonly Given[] | undefined,
): readonly Given[] {
  if (given === undefined) return []
  return typeof given === "function" ? [given] : given
}
