import { COMMON_HEADERS } from "./error-responses.ts"
import { jsonContent, type Response } from "./openapi-document.ts"
import { SUCCESS } from "./schema-parts.ts"

/** The statuses of answers that some calls give instead of their usual one. */
export type FurtherStatus = keyof typeof FURTHER_ANSWERS

const FURTHER_ANSWERS = {
  202: { description: "Done, without a stream.", headers: COMMON_HEADERS, content: jsonContent(SUCCESS) },
  206: {
    description: "The requested range of the file.",
    headers: COMMON_HEADERS,
    content: { "application/octet-stream": { schema: {} } },
  },
  302: { description: "Redirects the browser.", headers: COMMON_HEADERS },
  304: { description: "Not changed since the caller got it.", headers: COMMON_HEADERS },
} as const satisfies Record<number, Response>

/** Returns the answers with these statuses. */
export function furtherAnswers(statuses: readonly FurtherStatus[] = []): Readonly<Record<string, Response>> {
  return Object.fromEntries(statuses.map((status) => [String(status), FURTHER_ANSWERS[status]]))
}
