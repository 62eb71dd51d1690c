import { compileOrThrow, type DefinitionInput } from "../../src/app/definition/compile-definition.ts"
import { generateFiles } from "../../src/cli/codegen/generate-files.ts"
import type { ResourceDefinition } from "../../src/schema/builders/definition.ts"
import articles from "../types/newspaper/src/collections/articles.ts"
import people from "../types/newspaper/src/collections/people.ts"
import teams from "../types/newspaper/src/collections/teams.ts"
import inviteMail from "../types/newspaper/src/emails/invite.ts"
import settings from "../types/newspaper/src/globals/settings.ts"
import adminSearch from "../types/newspaper/src/routes/admin-search.ts"
import club from "../types/newspaper/src/routes/clubs/[club]/index.ts"
import invite from "../types/newspaper/src/routes/clubs/[club]/invite.ts"
import files from "../types/newspaper/src/routes/files/[...path].ts"
import stats from "../types/newspaper/src/routes/stats.ts"
import clock from "../types/newspaper/src/services/clock.ts"
import desk from "../types/newspaper/src/services/desk.ts"

const ROUTES = {
  "admin-search": adminSearch,
  "files/[...path]": files,
  stats,
  "clubs/[club]/index": club,
  "clubs/[club]/invite": invite,
}

/** The files generated for the app that the type tests are written against. */
export function generateNewspaper(more: readonly ResourceDefinition[] = []): ReadonlyMap<string, string> {
  const definitions = [...[articles, people, teams, settings].map(({ definition }) => definition), ...more]
  const parts = {
    resources: definitions.map((definition) => ({ file: definition.name, definition })),
    routes: Object.entries(ROUTES).map(([path, { definition }]) => ({ file: path, path, definition })),
    services: Object.entries({ clock, desk }).map(([key, { definition }]) => ({ file: key, key, definition })),
    emails: [{ file: "invite", key: "invite", definition: inviteMail.definition }],
  }
  return generateApp(parts, { locales: { default: "en", all: ["en", "sk", "cs", "de", "pt-BR"] } })
}

export function generateFor(definitions: readonly ResourceDefinition[]): ReadonlyMap<string, string> {
  return generateApp({ resources: definitions.map((definition) => ({ file: definition.name, definition })) })
}

export function generateApp(
  parts: Omit<DefinitionInput, "config">,
  settings: DefinitionInput["config"] = {},
): ReadonlyMap<string, string> {
  const { resources, routes = [], services = [], emails = [], jobs = [], channels = [] } = parts
  const modules = [
    ...resources.map(({ definition: { kind, name } }) => [`${kind}:${name}`, `${kind}s/${name}`] as const),
    ...routes.map(({ file, path }) => [`route:${file}`, `routes/${path}`] as const),
    ...services.map(({ key }) => [`service:${key}`, `services/${key}`] as const),
    ...emails.map(({ key }) => [`email:${key}`, `emails/${key}`] as const),
    ...jobs.map(({ key }) => [`job:${key}`, `jobs/${key}`] as const),
    ...channels.map(({ key }) => [`channel:${key}`, `channels/${key}`] as const),
  ]
  // Without users of its own an app has none here, so that what is compared stays small.
  const isWithUsers = resources.some(({ definition }) => definition.identity)
  const config = isWithUsers ? settings : { ...settings, sessions: { read: () => null } }
  return generateFiles({ ...compileOrThrow({ ...parts, config }), modules: new Map(modules), usesDatabase: true })
}
