import { readFile } from "node:fs/promises"
import type { ResourceDefinition } from "../../src/schema/builders/definition.ts"
import { generateNewspaper } from "./newspaper.ts"

const AUTHORED = [
  "collections/articles.ts",
  "collections/people.ts",
  "collections/teams.ts",
  "emails/invite.ts",
  "globals/settings.ts",
  "routes/admin-search.ts",
  "routes/clubs/[club]/index.ts",
  "routes/clubs/[club]/invite.ts",
  "routes/files/[...path].ts",
  "routes/stats.ts",
  "services/clock.ts",
  "services/desk.ts",
]

/** The author's files of the newspaper, what is generated for them, and more files besides. */
export async function newspaperFiles(
  more: Readonly<Record<string, string>>,
  definitions: readonly ResourceDefinition[] = [],
): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [name, text] of generateNewspaper(definitions)) files.set(`src/generated/${name}`, checked(text))
  for (const name of AUTHORED) {
    files.set(`src/${name}`, await readFile(new URL(`../types/newspaper/src/${name}`, import.meta.url), "utf8"))
  }
  for (const [name, text] of Object.entries(more)) files.set(name, text)
  return files
}

/** Generated text that the compiler looks at as if an author had written it. */
export function checked(text: string): string {
  return text.replace("// @ts-nocheck\n", "")
}
