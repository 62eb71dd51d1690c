import { generateFiles } from "../../src/cli/codegen/generate-files.ts"
import { compileSchema } from "../../src/schema/compile.ts"
import type { ResourceDefinition } from "../../src/schema/definition.ts"
import articles from "../types/newspaper/src/collections/articles.ts"
import people from "../types/newspaper/src/collections/people.ts"
import teams from "../types/newspaper/src/collections/teams.ts"
import settings from "../types/newspaper/src/globals/settings.ts"

/** The files generated for the app that the type tests are written against. */
export function generateNewspaper(more: readonly ResourceDefinition[] = []): ReadonlyMap<string, string> {
  return generateFor([...[articles, people, teams, settings].map(({ definition }) => definition), ...more])
}

export function generateFor(definitions: readonly ResourceDefinition[]): ReadonlyMap<string, string> {
  const compiled = compileSchema(definitions.map((definition) => ({ file: definition.name, definition })))
  if ("mistakes" in compiled) throw new Error(compiled.mistakes.map(({ message }) => message).join("\n"))
  const sources = definitions.map(({ kind, name }) => [`${kind}:${name}`, `${kind}s/${name}`] as const)
  return generateFiles({ schema: compiled.schema, sources: new Map(sources) })
}
