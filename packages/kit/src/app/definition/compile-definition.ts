import { type CompiledEmails, compileEmails } from "../../features/email/compile-emails.ts"
import { type CompiledJobs, compileJobs } from "../../features/jobs/compile-jobs.ts"
import { type CompiledChannels, compileChannels } from "../../features/realtime/channels/compile-channels.ts"
import { type CompiledRoute, compileRoutes } from "../../features/routes/compile-routes.ts"
import { type CompiledServices, compileServices } from "../../features/services/compile-services.ts"
import type { Mistake } from "../../schema/compile/compile.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { AppDefinition } from "./app-definition.ts"
import { AppMistakesError } from "./app-mistakes.ts"
import { compileResources, type FrameworkHooks, hasIdentity } from "./compile-resources.ts"

export type { SourcedEmail } from "../../features/email/compile-emails.ts"
export type { SourcedJob } from "../../features/jobs/compile-jobs.ts"
export type { SourcedChannel } from "../../features/realtime/channels/compile-channels.ts"
export type { CompiledRoute, SourcedRoute } from "../../features/routes/compile-routes.ts"
export type { Segment } from "../../features/routes/route-path.ts"
export type { SourcedService } from "../../features/services/compile-services.ts"

/** The declarations of an app, checked and ready to run. */
export interface CompiledDefinition {
  readonly schema: AppSchema
  readonly routes: readonly CompiledRoute[]
  readonly services: CompiledServices
  readonly emails: CompiledEmails
  readonly jobs: CompiledJobs
  readonly channels: CompiledChannels
}

type DeclaredKey = "config" | "resources" | "routes" | "services" | "emails" | "jobs" | "channels"

export interface DefinitionInput extends Pick<AppDefinition, DeclaredKey> {
  readonly frameworkHooks?: FrameworkHooks
}

/** Compiles everything that an author declares, or returns all mistakes. */
export function compileDefinition(
  definition: DefinitionInput,
): CompiledDefinition | { readonly mistakes: readonly Mistake[] } {
  const compiled = compileResources(definition.config, definition.resources, definition.frameworkHooks)
  const { routes, mistakes: ofRoutes } = compileRoutes(definition.routes ?? [], collectionNames(definition))
  const { services, mistakes: ofServices } = compileServices(definition.services ?? [])
  const { emails, mistakes: ofEmails } = compileEmails(definition.emails ?? [])
  const { jobs, mistakes: ofJobs } = compileJobs(definition.jobs ?? [])
  const { channels, mistakes: ofChannels } = compileChannels(definition.channels ?? [])
  const ofResources = "mistakes" in compiled ? compiled.mistakes : []
  const mistakes = [...ofResources, ...ofRoutes, ...ofServices, ...ofEmails, ...ofJobs, ...ofChannels]
  if ("mistakes" in compiled || mistakes.length > 0) return { mistakes }
  return { ...compiled, routes, services, emails, jobs, channels }
}

/**
 * Like `compileDefinition`, but throws one error that lists all mistakes, including those in the parameter `further`.
 */
export function compileOrThrow(definition: DefinitionInput, further: readonly Mistake[] = []): CompiledDefinition {
  const compiled = compileDefinition(definition)
  if (!("mistakes" in compiled) && further.length === 0) return compiled
  throw new AppMistakesError([...further, ...("mistakes" in compiled ? compiled.mistakes : [])])
}

function collectionNames({ config, resources }: DefinitionInput): ReadonlySet<string> {
  const collections = resources.filter(({ definition }) => definition.kind === "collection")
  const names = collections.map(({ definition }) => definition.name)
  return new Set(hasIdentity(config) ? [...names, "users"] : names)
}
