import type { SchemaContext } from "./components/described-fields.ts"
import { resourceSchemas } from "./components/resource-schemas.ts"
import type { DescribedResource } from "./described-app.ts"
import { COMMON_HEADERS, errorReferences } from "./error-responses.ts"
import { furtherAnswers } from "./further-answers.ts"
import type { Operation, Response } from "./openapi-document.ts"
import type { ResourceOperation } from "./operations/endpoint-description.ts"
import { optionParameters } from "./option-parameters.ts"
import { pathParameters } from "./path-template.ts"
import { securityOf } from "./security.ts"

/** Returns the path of a resource's endpoint: `/:collection/:id` becomes `/articles/:id`. */
export function resourcePath(path: string, { resource }: DescribedResource): string {
  return path.replace(resource.kind === "global" ? ":name" : ":collection", resource.name)
}

/** True if the resource has the endpoint, and the rules do not deny it to the caller in every case. */
export function isOpenTo(row: ResourceOperation, described: DescribedResource): boolean {
  const { resource, operations } = described
  const isFitting = row.isForFiles === undefined || row.isForFiles === (resource.upload !== undefined)
  if (row.isForDocuments && !hasDocuments(described)) return false
  return isFitting && row.needs.every((name) => (operations[name] ?? false) !== false)
}

// True if the caller may know of a collaborative field.
function hasDocuments({ resource, fields }: DescribedResource): boolean {
  return [...fields.keys()].some((name) => resource.fields.get(name)?.collaborative !== undefined)
}

interface DescribedEndpoint {
  readonly row: ResourceOperation
  /** The path with the name of the resource. */
  readonly path: string
  readonly cookie: string | undefined
}

const NO_OPTIONS = { parameters: [], hasIfMatch: false }

/** Describes a call of an endpoint that each resource has. */
export function resourceOperation(context: SchemaContext, { row, path, cookie }: DescribedEndpoint): Operation {
  const { described } = context
  const { resource, isPublic, openOperations } = described
  const schemas = resourceSchemas(context)
  const options = row.options ? optionParameters(context, row.options) : NO_OPTIONS
  const parameters = [...pathParameters(path), ...options.parameters, ...(row.parameters ?? [])]
  const isOpen = isPublic && row.needs.every((name) => (openOperations[name] ?? false) !== false)
  const isEmptyBody = row.isBodyOfRevision && resource.revision === undefined
  const body = isEmptyBody ? undefined : row.body?.(schemas)
  const answer = answerOf(row, { context, content: row.answer(schemas) })
  return {
    operationId: `${resource.kind === "global" ? "globals." : ""}${resource.name}.${row.method}`,
    summary: row.summary,
    ...(row.description !== undefined && { description: row.description }),
    tags: [tagOf(described)],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !row.isBodyOfRevision, content: body } }),
    responses: {
      // A dry run creates nothing.
      ...(row.options === "create" && { 200: { ...answer, description: "Not created, because it was a dry run." } }),
      [row.status ?? 200]: answer,
      ...furtherAnswers(row.further),
      ...errorReferences([...(row.errors ?? []), ...(options.hasIfMatch ? (["PRECONDITION_FAILED"] as const) : [])]),
    },
    security: securityOf(isOpen ? "optional" : "needed", cookie),
  }
}

/** Returns the name under which the document groups the calls of a resource. */
export function tagOf({ resource: { kind, name } }: DescribedResource): string {
  return kind === "global" ? `globals.${name}` : name
}

interface DescribedAnswer {
  readonly context: SchemaContext
  readonly content: Response["content"]
}

function answerOf(row: ResourceOperation, { context, content }: DescribedAnswer): Response {
  const { revision } = context.described.resource
  const isRevised = row.hasRevision && revision !== undefined
  const headers = isRevised
    ? { ...COMMON_HEADERS, "X-Revision": { $ref: "#/components/headers/Revision" } }
    : COMMON_HEADERS
  return { description: row.status === 201 ? "Created." : "Done.", headers, ...(content && { content }) }
}
