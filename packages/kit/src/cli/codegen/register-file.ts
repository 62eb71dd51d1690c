import type { CodegenInput } from "./codegen-input.ts"
import { membersText } from "./interface-text.ts"
import { moduleType } from "./module-type.ts"
import { identityOf } from "./user-type.ts"

/**
 * The text of `register.ts`, which tells the authoring API about the app. It is a file of its own: a client that imports the
 * types of the app must not pull the server into its program.
 */
export function registerFile({ schema, services, modules }: CodegenInput): string {
  const names = [...services.keys()].sort()
  const members = names.map((name) => ({
    name,
    type: `ServiceInstance<${moduleType(modules, { kind: "service", name })}>`,
  }))
  const imported = names.length === 0 ? "" : 'import type { ServiceInstance } from "kit/services"\n'
  const registered = names.length === 0 ? "" : `\n  interface Services ${membersText(members, "  ")}\n`
  const user = identityOf(schema) ? [{ name: "user", type: "AppUser" }] : []
  const types = [
    { name: "collections", type: "AppCollections" },
    { name: "globals", type: "AppGlobals" },
    { name: "where", type: "AppWheres" },
    ...user,
  ]
  const register = membersText([...types, { name: "tables", type: "AppTables" }], "  ")
  return `import type {} from "kit"
${imported}import type { ${types
    .map(({ type }) => type)
    .sort()
    .join(", ")} } from "./index.js"
import type { AppTables } from "./tables.js"

declare module "kit" {
  interface Register ${register}
${registered}}
`
}
