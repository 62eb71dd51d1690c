import { Texts } from "../../engine/introspect/texts.ts"
import { TimeSlice } from "../../engine/read/time-slice.ts"
import { shapeOf } from "../../features/routes/route-path.ts"
import { WIRE_VERSION } from "../respond.ts"
import { Components } from "./components/components.ts"
import { readableFields, type SchemaContext } from "./components/described-fields.ts"
import { routeOperation } from "./custom-routes.ts"
import type { DescribedApp } from "./described-app.ts"
import { ERROR_SCHEMA, errorResponses } from "./error-responses.ts"
import { fixedOperation, isFixedOpenTo } from "./fixed-operations.ts"
import type { MethodName, OpenApiDocument, Operation } from "./openapi-document.ts"
import { descriptionOf } from "./operations/endpoint-table.ts"
import { pathTemplate } from "./path-template.ts"
import { isOpenTo, resourceOperation, resourcePath, tagOf } from "./resource-operations.ts"
import { TEXT, WHOLE_NUMBER } from "./schema-parts.ts"
import { securityOf, securitySchemes } from "./security.ts"

/**
 * Builds the OpenAPI document of the app, as one reader may see it. Equal apps give equal documents, member by member.
 * The work on a large app is done in time slices, so that other requests continue.
 */
export async function buildDocument(app: DescribedApp): Promise<OpenApiDocument> {
  const turn = new TimeSlice()
  const components = new Components()
  const paths = new Paths()
  addRoutes(app, { components, paths })
  const contexts = schemaContexts(app, components)
  for (const key of app.endpoints) await addEndpoint(app, { key, contexts, paths, turn })
  const error = components.refer("Error", () => ERROR_SCHEMA)
  return {
    openapi: "3.1.0",
    info: { title: app.name, version: WIRE_VERSION, description: DESCRIPTIONS[app.reader] },
    servers: [{ url: serverUrl(app) }],
    tags: tagsOf(app),
    security: securityOf("optional", app.cookie),
    paths: paths.sorted(),
    components: {
      schemas: await components.finish(turn),
      parameters: components.parameters(),
      headers: HEADERS,
      responses: errorResponses(error),
      securitySchemes: securitySchemes(app.cookie),
    },
  }
}

const DESCRIPTIONS: Readonly<Record<DescribedApp["reader"], string>> = {
  anonymous: "What a caller who is not signed in may do.",
  user: "What the caller of this document may do.",
  admin: "What the caller of this document may do.",
  developer: "The whole API. Each caller may use the part that the access rules allow.",
}

const HEADERS: OpenApiDocument["components"]["headers"] = {
  RequestId: { description: "The id of the request, also in the log of the server.", schema: TEXT },
  Revision: { description: "The revision of the record.", schema: WHOLE_NUMBER },
}

function serverUrl({ url, basePath }: DescribedApp): string {
  const origin = url === undefined ? "" : new URL(url).origin
  return `${origin}${basePath}` || "/"
}

interface Building {
  readonly components: Components
  readonly paths: Paths
}

function addRoutes(app: DescribedApp, { components, paths }: Building): void {
  const templates = new Map<string, string>()
  for (const described of app.routes) {
    const { route } = described
    // Two routes with different methods may name the parameters of the same path differently. In the document a path
    // has one set of names: those of the first route.
    const shape = shapeOf(route.segments)
    const pattern = templates.get(shape) ?? route.pattern
    templates.set(shape, pattern)
    const operation = routeOperation({ ...described, route: { ...route, pattern } }, { components, cookie: app.cookie })
    paths.add(route.definition.method, pattern, operation)
  }
}

interface AddedEndpoint extends Pick<Building, "paths"> {
  readonly key: string
  readonly contexts: readonly SchemaContext[]
  readonly turn: TimeSlice
}

async function addEndpoint(app: DescribedApp, { key, contexts, paths, turn }: AddedEndpoint): Promise<void> {
  const [method = "", path = ""] = key.split(" ")
  const row = descriptionOf(key)
  if (row.kind === "none") return
  if (row.kind === "fixed") {
    if (isFixedOpenTo(row, app)) paths.add(method, path, fixedOperation(row, path, app))
    return
  }
  const kind = path.includes("/globals/:name") ? "global" : "collection"
  for (const context of contexts) {
    if (turn.isOver) await turn.next()
    if (context.described.resource.kind !== kind || !isOpenTo(row, context.described)) continue
    const named = resourcePath(path, context.described)
    paths.add(method, named, resourceOperation(context, { row, path: named, cookie: app.cookie }))
  }
}

function schemaContexts(app: DescribedApp, components: Components): readonly SchemaContext[] {
  const collections = new Map<string, SchemaContext>()
  const texts = documentTexts(app)
  const contexts = app.resources.map((described) => ({
    described,
    components,
    locales: app.locales.all,
    texts,
    readable: readableFields(described),
    collection: (name: string) => collections.get(name),
  }))
  for (const context of contexts) {
    const { kind, name } = context.described.resource
    if (kind === "collection") collections.set(name, context)
  }
  return contexts
}

// All readers get the texts of the author in the app's default locale, so that they can share a document.
function documentTexts({ locales }: DescribedApp): Texts {
  return new Texts(locales, locales.default)
}

function tagsOf(app: DescribedApp): OpenApiDocument["tags"] {
  const texts = documentTexts(app)
  const ofResources = app.resources.map((described) => {
    const description = texts.find(described.resource.presentation.description)
    return { name: tagOf(described), ...(description !== null && { description }) }
  })
  return app.routes.length > 0 ? [...ofResources, { name: "routes" }] : ofResources
}

/** The operations of the document, by path and method. The first one at a path with a method stays. */
class Paths {
  readonly #items = new Map<string, Map<MethodName, Operation>>()

  // The author's routes are added first, because they take precedence over endpoints of kit with the same path.
  add(method: string, pattern: string, operation: Operation): void {
    const path = pathTemplate(pattern)
    const item = this.#items.get(path) ?? new Map<MethodName, Operation>()
    this.#items.set(path, item)
    // The cast is safe: the methods of endpoints and routes in lower case are those of the document.
    const name = method.toLowerCase() as MethodName
    if (!item.has(name)) item.set(name, operation)
  }

  sorted(): OpenApiDocument["paths"] {
    const entries = [...this.#items].sort(([left], [right]) => (left < right ? -1 : 1))
    return Object.fromEntries(entries.map(([path, item]) => [path, Object.fromEntries([...item].sort(byMethod))]))
  }
}

const METHOD_ORDER: readonly MethodName[] = ["get", "post", "put", "patch", "delete"]

function byMethod([left]: [MethodName, Operation], [right]: [MethodName, Operation]): number {
  return METHOD_ORDER.indexOf(left) - METHOD_ORDER.indexOf(right)
}
