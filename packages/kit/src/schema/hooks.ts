import type { HandlerContext } from "./handler-context.ts"

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

export interface BeforeChangeContext extends WriteHookContext {
  readonly operation: "create" | "update" | "restore"
  /** What will be written; change it, or return another one. */
  readonly data: Record<string, unknown>
  /** The whole stored row, hidden fields included; null for a new record. */
  readonly original: HookRow | null
}

export interface AfterChangeContext extends WriteHookContext {
  readonly operation: "create" | "update" | "restore"
  /** What was written. */
  readonly data: HookRow
  /** The whole row as it is now, hidden fields included. */
  readonly row: HookRow
  readonly original: HookRow | null
}

export interface DeleteContext extends WriteHookContext {
  readonly operation: "delete" | "purge"
  readonly original: HookRow
}

export type ReadOperation = "find" | "get" | "count" | "write"

export interface BeforeReadContext extends HandlerContext {
  readonly operation: Exclude<ReadOperation, "write">
  readonly id?: string | undefined
}

export interface AfterReadContext extends HandlerContext {
  /** `write` for the record that a write answers. */
  readonly operation: Exclude<ReadOperation, "count">
  /** The record as the caller will see it; change it, or return another one. */
  readonly row: Record<string, unknown>
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is typed so.
type Returned<Result> = Result | undefined | void
type Hook<Context, Result = never> = (context: Context) => Returned<Result> | Promise<Returned<Result>>

interface HookFunctions {
  beforeValidate: Hook<BeforeChangeContext, HookRow>
  beforeChange: Hook<BeforeChangeContext, HookRow>
  afterChange: Hook<AfterChangeContext>
  beforeRead: Hook<BeforeReadContext>
  afterRead: Hook<AfterReadContext, HookRow>
  beforeDelete: Hook<DeleteContext>
  afterDelete: Hook<DeleteContext>
}

/** Each hook is a function or a list of functions, which run in their order. */
export type Hooks = {
  readonly [Name in HookName]?: HookFunctions[Name] | readonly HookFunctions[Name][]
}

export type CompiledHooks = { readonly [Name in HookName]: readonly HookFunctions[Name][] }

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
