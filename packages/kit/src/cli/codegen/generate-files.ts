import type { AppSchema } from "../../schema/resource.ts"
import { appConfigFile } from "./app-config-file.ts"
import { membersText } from "./interface-text.ts"
import { identityOf } from "./user-type.ts"

export interface CodegenInput {
  readonly schema: AppSchema
  /** The module of each resource relative to `src/`, by kind and name: "collection:articles". */
  readonly sources: ReadonlyMap<string, string>
}

const HEADER = "// Written by kit generate; changes are lost.\n"

// A file of its own: a client that imports the types must not pull the server into its program.
function registerText(schema: AppSchema): string {
  const user = identityOf(schema) ? [{ name: "user", type: "AppUser" }] : []
  const members = [
    { name: "collections", type: "AppCollections" },
    { name: "globals", type: "AppGlobals" },
    { name: "where", type: "AppWheres" },
    ...user,
  ]
  const imported = members.map(({ type }) => type).sort()
  return `import type {} from "kit"
import type { ${imported.join(", ")} } from "./index.js"

declare module "kit" {
  interface Register ${membersText(members, "  ")}
}
`
}

/** The text of each file of `src/generated/`, the same for the same schema. */
export function generateFiles({ schema, sources }: CodegenInput): ReadonlyMap<string, string> {
  return new Map([
    ["index.ts", HEADER + appConfigFile(schema, sources)],
    ["register.ts", HEADER + registerText(schema)],
  ])
}
