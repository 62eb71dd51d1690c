import { isSearchable, SEARCH_TYPES } from "./app-types/search-types.ts"
import { identityOf } from "./app-types/user-type.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { type Member, membersText } from "./interface-text.ts"
import { moduleType } from "./module-type.ts"

/**
 * Returns the text of `register.ts`, which declares the app's types to kit's functions for authors. These declarations
 * are in a separate file, because a client that imports the app's types must not import the server's code.
 */
export function registerFile(input: CodegenInput): string {
  const services = servicesOf(input)
  const emails = emailsOf(input)
  const jobs = jobsOf(input)
  const channels = channelsOf(input)
  const types = typesOf(input)
  const names = types.map(({ type }) => type).sort()
  const members = [
    ...types,
    ...(input.usesDatabase ? [{ name: "db", type: "Kysely<AppTables>" }] : []),
    { name: "emails", type: membersText(emails, "    ") },
  ]
  const serviceImport = services.length === 0 ? "" : 'import type { ServiceInstance } from "kit/services"\n'
  const databaseImport = input.usesDatabase ? 'import type { Kysely } from "kit/db"\n' : ""
  const tablesImport = input.usesDatabase ? 'import type { AppTables } from "./tables.js"\n' : ""
  const serviceText = services.length === 0 ? "" : `\n  interface Services ${membersText(services, "  ")}\n`
  const jobText = jobs.length === 0 ? "" : `\n  interface Queue ${membersText(jobs, "  ")}\n`
  const channelText = channels.length === 0 ? "" : `\n  interface Channels ${membersText(channels, "  ")}\n`
  const used = [
    ...(channels.length === 0 ? [] : ["ChannelPublisher"]),
    ...(emails.length === 0 ? [] : ["EmailInput"]),
    ...(jobs.length === 0 ? [] : ["JobPublisher"]),
  ]
  return `import type {${used.length === 0 ? "" : ` ${used.join(", ")} `}} from "kit"
${databaseImport}${serviceImport}import type { ${names.join(", ")} } from "./index.js"
import type { AppCollectionBuilders, AppGlobalBuilders, AppResources } from "./rows.js"
${tablesImport}
declare module "kit" {
  interface Register ${membersText(members, "  ")}

  interface CollectionBuilders extends AppCollectionBuilders {}

  interface GlobalBuilders extends AppGlobalBuilders {}

  interface Resources extends AppResources {}
${serviceText}${jobText}${channelText}}
`
}

function servicesOf({ services, modules }: CodegenInput): Member[] {
  const names = [...services.keys()].sort()
  return names.map((name) => ({ name, type: `ServiceInstance<${moduleType(modules, { kind: "service", name })}>` }))
}

function emailsOf({ emails, modules }: CodegenInput): Member[] {
  const names = [...emails.keys()].sort()
  return names.map((name) => ({ name, type: `EmailInput<${moduleType(modules, { kind: "email", name })}>` }))
}

// Returns one member per job. A mapped type over all jobs would need the types of all jobs to resolve one of them,
// which could be circular, because jobs may publish one another.
function jobsOf({ jobs, modules }: CodegenInput): Member[] {
  const names = [...jobs.keys()].sort()
  return names.map((name) => ({ name, type: `JobPublisher<${moduleType(modules, { kind: "job", name })}>` }))
}

function channelsOf({ channels, modules }: CodegenInput): Member[] {
  const names = [...channels.keys()].sort()
  return names.map((name) => ({ name, type: `ChannelPublisher<${moduleType(modules, { kind: "channel", name })}>` }))
}

function typesOf({ schema }: CodegenInput): Member[] {
  return [
    { name: "collections", type: "AppCollections" },
    { name: "globals", type: "AppGlobals" },
    { name: "locale", type: "AppLocale" },
    ...(isSearchable(schema) ? [{ name: "search", type: SEARCH_TYPES }] : []),
    { name: "systemCollections", type: "AppSystemCollections" },
    { name: "systemGlobals", type: "AppSystemGlobals" },
    ...(identityOf(schema) ? [{ name: "user", type: "AppUser" }] : []),
  ]
}
