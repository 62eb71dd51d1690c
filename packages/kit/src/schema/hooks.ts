import type { HandlerContext } from "./handler-context.ts"
import type { RegisteredResource } from "./register.ts"
import type { ResourceTypes } from "./resource-types.ts"

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
interface CreatingContext<Types extends ResourceTypes> extends WriteHookContext {
  readonly operation: "create"
  /** What will be written; change it, or return another one. */
  readonly data: Types["data"]
  readonly original: null
}

/** A change; its values are checked. */
interface ChangingContext<Types extends ResourceTypes> extends WriteHookContext {
  readonly operation: "update" | "restore" | "revert"
  /** What will be written; change it, or return another one. */
  readonly data: Types["change"]
  /** The whole stored row, hidden fields included; null for the first values of a global. */
  readonly original: Types["row"] | Types["firstOriginal"]
}

/** A new record as it was sent; only the names are checked. */
interface SentCreateContext<Types extends ResourceTypes> extends Omit<CreatingContext<Types>, "data"> {
  readonly data: Types["input"]
}

interface SentChangeContext<Types extends ResourceTypes> extends Omit<ChangingContext<Types>, "data"> {
  readonly data: Types["input"]
}

interface ChangedContext<Types extends ResourceTypes> extends WriteHookContext {
  readonly operation: "create" | "update" | "restore" | "revert"
  /** What was written. */
  readonly data: Partial<Types["row"]>
  /** The whole row as it is now, hidden fields included. */
  readonly row: Types["row"]
  readonly original: Types["row"] | null
}

interface DeletingContext<Types extends ResourceTypes> extends WriteHookContext {
  readonly operation: "delete" | "purge"
  readonly original: Types["row"]
}

interface MovingContext<Types extends ResourceTypes> extends WriteHookContext {
  readonly operation: "transition"
  /** The whole stored row, hidden fields included. */
  readonly original: Types["row"]
  readonly from: string
  readonly to: string
}

export type ReadOperation = "find" | "get" | "count" | "versions" | "write"

export interface BeforeReadContext extends HandlerContext {
  readonly operation: Exclude<ReadOperation, "write">
  readonly id?: string | undefined
}

interface ShownContext<Types extends ResourceTypes> extends HandlerContext {
  /** `write` for the record that a write answers. */
  readonly operation: Exclude<ReadOperation, "count">
  /** The record as the caller will see it; change it, or return another one. */
  readonly row: Types["shown"]
}

/** What the hooks of the named collection or global are given, for hooks that stand in a file of their own. */
export type BeforeValidateContext<Name extends string = string> =
  | SentCreateContext<RegisteredResource<Name>>
  | SentChangeContext<RegisteredResource<Name>>
export type BeforeChangeContext<Name extends string = string> =
  | CreatingContext<RegisteredResource<Name>>
  | ChangingContext<RegisteredResource<Name>>
export type AfterChangeContext<Name extends string = string> = ChangedContext<RegisteredResource<Name>>
export type AfterReadContext<Name extends string = string> = ShownContext<RegisteredResource<Name>>
export type DeleteContext<Name extends string = string> = DeletingContext<RegisteredResource<Name>>
export type TransitionContext<Name extends string = string> = MovingContext<RegisteredResource<Name>>

/**
 * A function or a list of functions, which run in their order. What they return is left to the engine: the compiler would
 * have to look into them for the type of the file, and they may use that type.
 */
type Hook<Context> = ((context: Context) => void) | readonly ((context: Context) => void)[]

export interface HooksOf<Types extends ResourceTypes> {
  readonly beforeValidate?: Hook<SentCreateContext<Types> | SentChangeContext<Types>>
  readonly beforeChange?: Hook<CreatingContext<Types> | ChangingContext<Types>>
  readonly afterChange?: Hook<ChangedContext<Types>>
  readonly beforeRead?: Hook<BeforeReadContext>
  readonly afterRead?: Hook<ShownContext<Types>>
  readonly beforeDelete?: Hook<DeletingContext<Types>>
  readonly afterDelete?: Hook<DeletingContext<Types>>
  readonly beforeTransition?: Hook<MovingContext<Types>>
  readonly afterTransition?: Hook<MovingContext<Types>>
}

/** The code that takes part in reads and writes of the named collection or global. */
export type Hooks<Name extends string = string> = HooksOf<RegisteredResource<Name>>

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
