import { IDENTITY_TABLES } from "../../features/auth/accounts/identity-tables.ts"
import type { ResourceDefinition } from "../../schema/builders/definition.ts"
import type { Hooks } from "../../schema/builders/hooks.ts"
import { users } from "../../schema/builders/users.ts"
import { type CompiledApp, compileSchema, type Mistake, type SourcedDefinition } from "../../schema/compile/compile.ts"
import type { SearchScope } from "../../schema/search/compile-search.ts"
import { basePathOf } from "../config/base-path.ts"
import type { KitConfig } from "../config/config.ts"
import { findFilterProblem } from "./find-filter-problem.ts"

/** Compiles the author's resources together with the framework's own, or returns all mistakes. */
export function compileResources(
  config: KitConfig,
  declared: readonly SourcedDefinition[],
  own: FrameworkHooks = {},
): CompiledApp {
  const sources = declared.map((source) => withFileHooks(source, own))
  const parts = {
    locales: config.locales,
    basePath: basePathOf(config),
    findFilterProblem,
    search: searchScope(config),
  }
  if (!hasIdentity(config)) return withMistakes(compileSchema(sources, parts), sources.flatMap(checkWithoutIdentity))
  const mistakes = sources.flatMap(checkWithIdentity)
  const clean = sources.filter(({ definition }) => checkWithIdentity({ file: "", definition }).length === 0)
  const compiled = compileSchema(withUsers(clean, own.users ?? {}), { ...parts, internal: IDENTITY_TABLES })
  return withMistakes(compiled, mistakes)
}

function searchScope({ search = {} }: KitConfig): SearchScope {
  const { languages, embedder, adapter } = search
  return { languages, hasEmbedder: embedder !== undefined, adapter: adapter?.name }
}

/** The hooks that the framework adds to the author's resources. */
export interface FrameworkHooks {
  readonly users?: Hooks
  /** Returns the framework's hooks for a collection of uploaded files. */
  files?(definition: ResourceDefinition): Hooks
}

function withFileHooks(source: SourcedDefinition, { files }: FrameworkHooks): SourcedDefinition {
  const { definition } = source
  return definition.upload && files ? { ...source, definition: addHooks(definition, files(definition)) } : source
}

/** True if the framework manages users, sessions and `/auth`, because the author has set no session provider. */
export function hasIdentity(config: KitConfig): boolean {
  return config.sessions === undefined
}

function withUsers(sources: readonly SourcedDefinition[], hooks: Hooks): readonly SourcedDefinition[] {
  const isDeclared = sources.some(({ definition }) => definition.identity)
  const all = isDeclared ? sources : [...sources, { file: "users()", definition: users().definition }]
  return all.map((source) =>
    source.definition.identity ? { ...source, definition: addHooks(source.definition, hooks) } : source,
  )
}

// Appends the framework's hooks, which run last so that they see the record as the author's hooks have left it.
function addHooks(definition: ResourceDefinition, { afterChange = [], afterDelete = [] }: Hooks): ResourceDefinition {
  const { hooks } = definition
  return {
    ...definition,
    hooks: {
      ...hooks,
      afterChange: [hooks.afterChange ?? [], afterChange].flat(),
      afterDelete: [hooks.afterDelete ?? [], afterDelete].flat(),
    },
  }
}

function checkWithIdentity({ file, definition: { kind, name, identity } }: SourcedDefinition): Mistake[] {
  if (name !== "users" || identity) return []
  const remedy = kind === "collection" ? "Write users() in place of collection(…)" : 'Choose another, such as "people"'
  return [{ file, message: `${kind}: the name "users" belongs to identity. ${remedy}.` }]
}

function checkWithoutIdentity({ file, definition: { identity } }: SourcedDefinition): Mistake[] {
  if (identity === undefined) return []
  const message =
    'users() extends the users of kit, which "sessions" in kit.config.ts turns off. Write collection("users"), or remove that setting.'
  return [{ file, message }]
}

function withMistakes(compiled: CompiledApp, mistakes: readonly Mistake[]): CompiledApp {
  if (mistakes.length === 0) return compiled
  return { mistakes: [...mistakes, ...("mistakes" in compiled ? compiled.mistakes : [])] }
}
