import type { HandlerContext } from "./handler-context.ts"
import type { RegisteredResource } from "./register.ts"
import type { ResourceTypes, Whole } from "./resource-types.ts"

/** The moments of this version at which an author's code can take part. */
export const HOOK_NAMES = [
  "beforeValidate",
  "beforeChange",
  "afterChange",
  "beforeRead",
  "afterRead",
  "beforeDelete",
  "afterDelete",
] as const

export type HookName = (typeof HOOK_NAMES)[number]

export type HookRow = Readonly<Record<string, unknown>>

interface WriteHookContext extends HandlerContext {
  /** Runs `work` once everything is committed; never if it is not. */
  onAfterCommit(work: () => unknown): void
}

interface CreatingContext<Data> extends WriteHookContext {
  readonly operation: "create"
  /** What will be written; change it, or return another one. */
  readonly data: Data
  readonly original: null
}

interface ChangingContext<Data, Original> extends WriteHookContext {
  readonly operation: "update" | "restore"
  /** What will be written; change it, or return another one. */
  readonly data: Data
  /** The whole stored row, hidden fields included; null for the first values of a global. */
  readonly original: Original
}

/** What a caller has sent, of which only the names are checked. */
export type BeforeValidateContext<Name extends string = string, Declared = unknown> =
  | CreatingContext<RegisteredResource<Name>["input"]>
  | ChangingContext<RegisteredResource<Name>["input"], OriginalOf<RegisteredResource<Name>, Declared>>

/** Checked values; those of a new record are complete. */
export type BeforeChangeContext<Name extends string = string, Declared = unknown> = ChangeContexts<
  RegisteredResource<Name>,
  Declared
>

type ChangeContexts<Types extends ResourceTypes, Declared> =
  | CreatingContext<Whole<Types["data"], Types["declaredData"], Declared>>
  | ChangingContext<Whole<Types["change"], Partial<Types["declaredData"]>, Declared>, OriginalOf<Types, Declared>>

type RowOf<Types extends ResourceTypes, Declared> = Whole<Types["row"], Types["declaredRow"], Declared>

type OriginalOf<Types extends ResourceTypes, Declared> = RowOf<Types, Declared> | Types["firstOriginal"]

export interface AfterChangeContext<Name extends string = string, Declared = unknown> extends WriteHookContext {
  readonly operation: "create" | "update" | "restore"
  /** What was written. */
  readonly data: Readonly<Partial<RowOf<RegisteredResource<Name>, Declared>>>
  /** The whole row as it is now, hidden fields included. */
  readonly row: Readonly<RowOf<RegisteredResource<Name>, Declared>>
  readonly original: Readonly<RowOf<RegisteredResource<Name>, Declared>> | null
}

export interface DeleteContext<Name extends string = string, Declared = unknown> extends WriteHookContext {
  readonly operation: "delete" | "purge"
  readonly original: Readonly<RowOf<RegisteredResource<Name>, Declared>>
}

export type ReadOperation = "find" | "get" | "count" | "write"

export interface BeforeReadContext extends HandlerContext {
  readonly operation: Exclude<ReadOperation, "write">
  readonly id?: string | undefined
}

export interface AfterReadContext<Name extends string = string, Declared = unknown> extends HandlerContext {
  /** `write` for the record that a write answers. */
  readonly operation: Exclude<ReadOperation, "count">
  /** The record as the caller will see it; change it, or return another one. */
  readonly row: Whole<RegisteredResource<Name>["shown"], Partial<RegisteredResource<Name>["declaredRow"]>, Declared>
}

/**
 * A function or a list of functions, which run in their order. What they return is left to the engine: the compiler would
 * have to look into them for the type of the file, and they may use that type.
 */
type Hook<Context> = ((context: Context) => void) | readonly ((context: Context) => void)[]

/** The code that takes part in reads and writes of the named collection or global. */
export interface Hooks<Name extends string = string, Declared = unknown> {
  readonly beforeValidate?: Hook<BeforeValidateContext<Name, Declared>>
  readonly beforeChange?: Hook<BeforeChangeContext<Name, Declared>>
  readonly afterChange?: Hook<AfterChangeContext<Name, Declared>>
  readonly beforeRead?: Hook<BeforeReadContext>
  readonly afterRead?: Hook<AfterReadContext<Name, Declared>>
  readonly beforeDelete?: Hook<DeleteContext<Name, Declared>>
  readonly afterDelete?: Hook<DeleteContext<Name, Declared>>
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
  })
}

function listOf<Given extends (context: never) => unknown>(
  given: Given | readonly Given[] | undefined,
): readonly Given[] {
  if (given === undefined) return []
  return typeof given === "function" ? [given] : given
}
