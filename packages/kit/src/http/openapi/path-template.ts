import type { Parameter } from "./openapi-document.ts"
import { TEXT } from "./schema-parts.ts"

const VARIABLE = /[:*](\w+)/g

/** Returns a router's path in the form of the document: `/teams/:team/*rest` becomes `/teams/{team}/{rest}`. */
export function pathTemplate(path: string): string {
  return path.replace(VARIABLE, "{$1}")
}

/** Returns the parameters in a router's path. */
export function pathParameters(path: string): readonly Parameter[] {
  return Array.from(path.matchAll(VARIABLE), ([whole, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...(whole.startsWith("*") && { description: "The rest of the path. It may contain slashes." }),
    schema: TEXT,
  }))
}
