import type { DescribedApp, Reader } from "./described-app.ts"
import { COMMON_HEADERS, errorReferences } from "./error-responses.ts"
import { furtherAnswers } from "./further-answers.ts"
import { jsonContent, type Operation, type Response } from "./openapi-document.ts"
import type { FixedOperation } from "./operations/endpoint-description.ts"
import { pathParameters } from "./path-template.ts"
import { securityOf } from "./security.ts"

const READERS: Readonly<Record<NonNullable<FixedOperation["caller"]>, readonly Reader[]>> = {
  user: ["user", "admin", "developer"],
  admin: ["admin", "developer"],
}

/** True if the reader of the document may call the endpoint. A developer sees all endpoints. */
export function isFixedOpenTo({ caller, requires }: FixedOperation, app: DescribedApp): boolean {
  if (caller !== undefined && !READERS[caller].includes(app.reader)) return false
  return requires === undefined || app.reader === "developer" || app[requires]
}

/** Describes a call of an endpoint that an app has once. */
export function fixedOperation(row: FixedOperation, path: string, { cookie }: DescribedApp): Operation {
  const parameters = [...pathParameters(path), ...(row.parameters ?? [])]
  const credentials = row.caller ? "session" : row.dependsOnCaller ? "optional" : "none"
  return {
    operationId: row.id,
    summary: row.summary,
    ...(row.description !== undefined && { description: row.description }),
    tags: [row.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: { required: true, content: jsonContent(row.body) } }),
    responses: { [row.status ?? 200]: answerOf(row), ...furtherAnswers(row.further), ...errorReferences(row.errors) },
    security: securityOf(credentials, cookie),
  }
}

function answerOf({ answer, content, status }: FixedOperation): Response {
  if (status === 302) return { description: "Redirects the browser.", headers: COMMON_HEADERS }
  const shown = content ?? jsonContent(answer ?? {})
  return { description: status === 201 ? "Created." : "Done.", headers: COMMON_HEADERS, content: shown }
}
