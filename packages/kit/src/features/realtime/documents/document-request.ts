import { readMembers } from "../../../engine/context/read-members.ts"
import type { NamedDocument } from "../../../engine/documents/document-address.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import { checkTopicId } from "../topics/request-shape.ts"
import type { TopicRequest } from "../topics/topic-kind.ts"
import { isStateVector } from "./byte-reader.ts"

/** A document that a client requests. Its names are checked later, when its rules are evaluated. */
export interface DocumentRequest extends TopicRequest, NamedDocument {
  readonly kind: "document"
  /** The epoch of the client's replica, if it has one. */
  readonly epoch: string | undefined
  /** The state vector of the client's replica, in base64. */
  readonly stateVector: string | undefined
}

const MEMBERS = ["id", "resourceType", "resource", "recordId", "field", "locale", "epoch", "stateVector"]
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
// The maximum length of a state vector in base64. It has some ten bytes for each editor that the document ever had.
const MAX_STATE_VECTOR_CHARACTERS = 64 * 1024

export function readDocumentRequest(document: unknown, path: string): DocumentRequest {
  const members = readMembers(document, MEMBERS, path)
  const { id, resourceType, stateVector } = members
  checkTopicId(id, path)
  if (resourceType !== "collection" && resourceType !== "global") {
    throw invalid(`${path}.resourceType`, 'Expected "collection" or "global".')
  }
  if (stateVector !== undefined && !isStateVectorText(stateVector)) {
    throw invalid(`${path}.stateVector`, "Expected a Yjs state vector in base64.")
  }
  return {
    id,
    kind: "document",
    resourceType,
    resource: requiredText(members["resource"], `${path}.resource`),
    recordId: recordIdOf(resourceType, members["recordId"], `${path}.recordId`),
    field: optionalText(members["field"], `${path}.field`),
    locale: optionalText(members["locale"], `${path}.locale`),
    epoch: optionalText(members["epoch"], `${path}.epoch`),
    stateVector,
  }
}

function recordIdOf(resourceType: "collection" | "global", id: unknown, path: string): string | undefined {
  if (resourceType === "collection") return requiredText(id, path)
  if (id !== undefined) throw invalid(path, "A global has only one record. Leave the id out.")
  return undefined
}

function requiredText(value: unknown, path: string): string {
  if (typeof value === "string") return value
  throw invalid(path, "Expected a text.")
}

function optionalText(value: unknown, path: string): string | undefined {
  return value === undefined ? undefined : requiredText(value, path)
}

function isStateVectorText(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MAX_STATE_VECTOR_CHARACTERS || !BASE64.test(value)) return false
  return isStateVector(Buffer.from(value, "base64"))
}
