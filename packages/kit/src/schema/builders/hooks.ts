import type { ResourceTypes } from "../compile/resource-types.ts"
import type { HandlerContext } from "../context/handler-context.ts"
import type { RegisteredResource } from "../context/register.ts"

/** The moments of this version at which an author's code can take part. */
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

export type HookName = (typeof HOOK_NAMES)[number]

export type HookRow = Readonly<Record<string, unknown>>

interface WriteHookContext extends HandlerContext {
  /** Runs `work` once everything is committed; never if it is not. */
  onAfterCommit(work: () => unknown): void
}

/** A new record; its values are checked and complete. */
export interface CreatingContext<Data> extends WriteHookContext {
  readonly operation: "create"
  /** What will be written; change it, or return another one. */
  readonly data: Data
  readonly original: null
  readonly stage?: undefined
}

/** A change; its values are checked. */
export interface ChangingContext<Data, Original> extends WriteHookContext {
  readonly operation: "update" | "restore" | "revert"
  /** What will be written; change it, or return another one. */
  readonly data: Data
  /** The whole stored row, hidden fields included; null for the first values of a global. */
  readonly original: Original
  /** The stage whose copy is changed, and is the original; undefined for the record as it is worked on. */
  readonly stage?: string | undefined
}

export interface ChangedContext<Row> extends WriteHookContext {
  readonly operation: "create" | "update" | "restore" | "revert"
  /** What was written. */
  readonly data: Partial<Row>
  /** The whole row as it is now, hidden fields included. */
  readonly row: Row
  readonly original: Row | null
  /** The stage whose copy was changed, and is the row; undefined for the record as it is worked on. */
  readonly stage?: string | undefined
}

interface DeletingContext<Row> extends WriteHookContext {
  readonly operation: "delete" | "purge"
  readonly original: Row
}

interface MovingContext<Row> extends WriteHookContext {
  readonly operation: "transition"
  /** The whole stored row, hidden fields included. */
  readonly original: Row
  readonly from: string
  readonly to: string
}

export type ReadOperation = "find" | "get" | "count" | "versions" | "write"

export interface BeforeReadContext extends HandlerContext {
  readonly operation: Exclude<ReadOperation, "write">
  readonly id?: string | undefined
}

interface ShownContext<Shown> extends HandlerContext {
  /** `write` for the record that a write answers. */
  readonly operation: Exclude<ReadOperation, "count">
  /** The record as the caller will see it; change it, or return another one. */
  readonly row: Shown
}

// A write as it was sent; only the names are checked.
type SentContext<Types extends ResourceTypes> =
  | CreatingContext<Types["input"]>
  | ChangingContext<Types["input"], Types["row"] | Types["firstOriginal"]>

type CheckedContext<Types extends ResourceTypes> =
  | CreatingContext<Types["data"]>
  | ChangingContext<Types["change"], Types["row"] | Types["firstOriginal"]>

/** What the hooks of the named collection or global are given, for hooks that stand in a file of their own. */
export type BeforeValidateContext<Name extends string = string> = SentContext<RegisteredResource<Name>>
export type BeforeChangeContext<Name extends string = string> = CheckedContext<RegisteredResource<Name>>
export type AfterChangeContext<Name extends string = string> = ChangedContext<RegisteredResource<Name>["row"]>
export type AfterReadContext<Name extends string = string> = ShownContext<RegisteredResource<Name>["shown"]>
export type DeleteContext<Name extends string = string> = DeletingContext<RegisteredResource<Name>["row"]>
export type TransitionContext<Name extends string = string> = MovingContext<RegisteredResource<Name>["row"]>

/**
 * A function or a list of functions, which run in their order. What they return is left to the engine: the compiler would
 * have to look into them for the type of the file, and they may use that type.
 */
type Hook<Context> = ((context: Context) => void) | readonly ((context: Context) => void)[]

/** The hooks that are not written out for each resource. */
export interface OtherHooks<Types extends ResourceTypes> {
  readonly beforeValidate?: Hook<SentContext<Types>>
  readonly beforeRead?: Hook<BeforeReadContext>
  readonly afterRead?: Hook<ShownContext<Types["shown"]>>
  readonly beforeDelete?: Hook<DeletingContext<Types["row"]>>
  readonly afterDelete?: Hook<DeletingContext<Types["row"]>>
  readonly beforeTransition?: Hook<MovingContext<Types["row"]>>
  readonly afterTransition?: Hook<MovingContext<Types["row"]>>
}

/** The code that takes part in reads and writes of the named collection or global. */
export interface Hooks<Name extends string = string> extends OtherHooks<RegisteredResource<Name>> {
  readonly beforeChange?: Hook<BeforeChangeContext<Name>>
  readonly afterChange?: Hook<AfterChangeContext<Name>>
}

type Compiled<Context> = readonly ((context: Context) => unknown)[]

export interface CompiledHooks {
  readonly beforeValidate: Compiled<BeforeValidateContext>
  readonly beforeChange: Compiled<BeforeChangeContext>
  readonly afterChange: Compiled<AfterChangeContext>
  readonly beforeRead: Compiled<BeforeReadContext>
  readonly afterRead: Compiled<AfterReadContext>
  readonly beforeDelete: Compiled<DeleteContext>
  readonly afterDelete: Compiled<DeleteContext>
  readonly beforeTransition: Compiled<TransitionContext>
  readonly afterTransition: Compiled<TransitionContext>
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
