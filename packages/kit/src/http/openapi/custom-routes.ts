import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import type { Segment } from "../../features/routes/route-path.ts"
import { jsonSchemaOf } from "../../schema/json-schema/from-standard-schema.ts"
import { routeKey } from "../../wire/paths/route-names.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import type { Components } from "./components/components.ts"
import type { DescribedRoute } from "./described-app.ts"
import { allErrorReferences, COMMON_HEADERS } from "./error-responses.ts"
import { hoistDefinitions } from "./hoist-definitions.ts"
import { jsonContent, type Operation, type Parameter, type RequestBody } from "./openapi-document.ts"
import { pathParameters } from "./path-template.ts"
import { securityOf } from "./security.ts"

interface RouteContext {
  readonly components: Components
  readonly cookie: string | undefined
}

/** Describes a call of a route of the author. Its schemas are those of the route, as far as they have a JSON Schema. */
export function routeOperation({ route, isOpen }: DescribedRoute, { components, cookie }: RouteContext): Operation {
  const { definition, segments, title, pattern } = route
  const id = operationId(route)
  const { schema, output, isRaw, method } = definition
  const given = schema && readSchema(jsonSchemaOf(schema, "input"), { id: `${id}.input`, components })
  const answered = output && readSchema(jsonSchemaOf(output, "output"), { id: `${id}.output`, components })
  const isQuery = method === "GET" || segments.length === 0
  const parameters = [...pathParameters(pattern), ...(isQuery && !isRaw ? queryParameters(given) : [])]
  const body = isQuery ? undefined : bodyOf(route, given)
  return {
    operationId: id,
    summary: title,
    tags: ["routes"],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      200: {
        description: "Done.",
        headers: COMMON_HEADERS,
        content: isRaw ? ANY_CONTENT : jsonContent(answered ?? {}),
      },
      ...allErrorReferences(),
    },
    security: securityOf(isOpen ? "optional" : "needed", cookie),
  }
}

const ANY_CONTENT = { "*/*": { schema: {} } }

// Returns the call of the client: `routes.teams.$team.invite.post`. The method is always named, so that no collection
// called "routes" can have the same id.
function operationId({ segments, definition }: CompiledRoute): string {
  return `routes${segments.map(memberOf).join("")}.${definition.method.toLowerCase()}`
}

// A name with a dot is written in brackets, so that no other path has the same id.
function memberOf(segment: Segment): string {
  if (segment.kind !== "fixed") return `.$${segment.name}`
  const key = routeKey(segment.text)
  return key.includes(".") ? `["${key}"]` : `.${key}`
}

function readSchema(
  schema: JsonSchema | undefined,
  { id, components }: { readonly id: string; readonly components: Components },
): JsonSchema | undefined {
  return schema && hoistDefinitions(schema, { prefix: id.replaceAll("$", ""), components })
}

function bodyOf({ definition: { isRaw, schema } }: CompiledRoute, given: JsonSchema | undefined): RequestBody {
  if (isRaw) return { required: false, content: ANY_CONTENT }
  return { required: schema !== undefined, content: jsonContent(given ?? {}) }
}

// Returns the members of the input as parameters of the query string. Input without known members has none.
function queryParameters(schema: JsonSchema | undefined): readonly Parameter[] {
  // The cast is safe: a library that gives a JSON Schema gives one whose members have the types of JSON Schema.
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, member]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    ...(member["type"] === "object" && { style: "deepObject", explode: true }),
    schema: member,
  }))
}

/** The members of a JSON Schema that describe an object. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}
