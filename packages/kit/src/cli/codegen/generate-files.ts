import type { AppSchema } from "../../schema/resource.ts"
import { appConfigFile } from "./app-config-file.ts"

export interface CodegenInput {
  readonly schema: AppSchema
  /** The module of each resource relative to `src/`, by kind and name: "collection:articles". */
  readonly sources: ReadonlyMap<string, string>
}

const HEADER = "// Written by kit generate; changes are lost.\n"

// A file of its own: a client that imports the types must not pull the server into its program.
const REGISTER = `import type {} from "kit"
import type { AppCollections, AppGlobals, AppWheres } from "./index.js"

declare module "kit" {
  interface Register {
    collections: AppCollections
    globals: AppGlobals
    where: AppWheres
  }
}
`

/** The text of each file of `src/generated/`, the same for the same schema. */
export function generateFiles({ schema, sources }: CodegenInput): ReadonlyMap<string, string> {
  return new Map([
    ["index.ts", HEADER + appConfigFile(schema, sources)],
    ["register.ts", HEADER + REGISTER],
  ])
}
