import type { JsonSchema } from "../../wire/results/json-schema.ts"

/** A reference to a part of the document's `components`. */
export interface Reference {
  readonly $ref: string
}

export type MethodName = "get" | "post" | "put" | "patch" | "delete"

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly description?: string
  readonly required?: true
  readonly style?: "deepObject"
  readonly explode?: true
  readonly schema: JsonSchema
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

export interface RequestBody {
  readonly required: boolean
  readonly content: Content
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Content
}

/** The credentials of a call: the names of security schemes. An empty object stands for a call without credentials. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** A call of the API: an HTTP method of a path. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly security?: readonly SecurityRequirement[]
}

type PathItem = { readonly [Method in MethodName]?: Operation }

/** An OpenAPI 3.1 document, as far as kit writes it. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0"
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly security: readonly SecurityRequirement[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
}

/** Returns the content of a JSON body. */
export function jsonContent(schema: JsonSchema): Content {
  return { "application/json": { schema } }
}
