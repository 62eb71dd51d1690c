import { APP_OPERATIONS } from "./app-operations.ts"
import { AUTH_OPERATIONS } from "./auth-operations.ts"
import { COLLECTION_OPERATIONS } from "./collection-operations.ts"
import { DOCUMENT_OPERATIONS } from "./document-operations.ts"
import type { EndpointDescription, EndpointTable } from "./endpoint-description.ts"
import { GLOBAL_OPERATIONS } from "./global-operations.ts"

/** The descriptions of all endpoints of kit by method and path. The author's routes describe themselves. */
export const ENDPOINT_TABLE: EndpointTable = Object.freeze({
  ...APP_OPERATIONS,
  ...AUTH_OPERATIONS,
  ...COLLECTION_OPERATIONS,
  ...GLOBAL_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
})

/** Returns the description of an endpoint. Throws if there is none, because every endpoint has to have one. */
export function descriptionOf(key: string): EndpointDescription {
  const description = ENDPOINT_TABLE[key]
  if (description) return description
  throw new Error(`The endpoint ${key} has no description. Add it to http/openapi/operations.`)
}
