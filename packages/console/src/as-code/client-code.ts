import type { CodeCall } from "./code-call.ts"
import { literalText, memberAccess } from "./literal.ts"
import { quotedText } from "./visible-text.ts"

const LINE_WIDTH = 80

/** The address of an API. */
export interface ApiAddress {
  /** The origin. */
  readonly baseURL: string
  /** The mount path. */
  readonly basePath: string
}

/** Writes a call of the client in TypeScript: `await client.collections.articles.find({ … })`. */
export function clientCode({ path, args }: CodeCall): string {
  const operation = `client${path.map(memberAccess).join("")}`
  const line = `await ${operation}(${args.map((arg) => literalText(arg)).join(", ")})`
  if (!line.includes("\n") && line.length <= LINE_WIDTH) return line
  const [only, ...others] = args
  // One argument begins on the line of the call; several have a line each.
  if (others.length === 0)
    return `await ${operation}(${literalText(only, { indent: "", taken: operation.length + 8 })})`
  const lines = args.map((arg) => `  ${literalText(arg, { indent: "  ", taken: 1 })},`)
  return `await ${operation}(\n${lines.join("\n")}\n)`
}

/** Writes how a program makes the client. With an address it signs in, too; the password is left to the person. */
export function clientSetUp({ baseURL, basePath }: ApiAddress, email: string | undefined): string {
  const settings = [`  baseURL: ${quotedText(baseURL)},`, `  basePath: ${quotedText(basePath)},`]
  const imports = [
    `import { createClient } from "kit/client"`,
    `import type { AppConfig } from "./generated/index.ts"`,
    "",
  ]
  if (email === undefined) return [...imports, "const client = createClient<AppConfig>({", ...settings, "})"].join("\n")
  return [
    ...imports,
    "let token: string | undefined",
    "const client = createClient<AppConfig>({",
    ...settings,
    `  getAuthHeaders: () => ({ authorization: token && \`Bearer \${token}\` }),`,
    "})",
    `const account = { email: ${quotedText(email)}, password: "…" }`,
    "token = (await client.auth.signIn(account)).token",
  ].join("\n")
}
