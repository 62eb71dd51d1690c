import { findPlace, rootOf } from "../../engine/documents/exact-place.ts"
import type { Transaction } from "../../ports/database.ts"
import type { DocumentSurvey } from "../../ports/document-codec.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { countClients, lockDocument } from "../../sql/documents/document-clients.ts"
import type { DocumentPlace } from "../../sql/documents/document-place.ts"
import type { WholeDocument } from "../../sql/documents/read-documents.ts"
import {
  type BrokenParts,
  decodePlaceNames,
  emptyBroken,
  keepBroken,
  resetClients,
  resetDocument,
  selectPlaceNames,
} from "../../sql/documents/set-aside.ts"
import type { DocumentServices } from "./document-services.ts"
import { isUnreadable } from "./patient-codec.ts"
import { allUpdates, readWholeDocument } from "./read-document.ts"

/** The problem that the editors of a document see after a part of it was set aside. */
export const SET_ASIDE_PROBLEM =
  "A part of this document could not be read, and was set aside. Tell the operator if something is missing."

type SurveyServices = Pick<DocumentServices, "engine" | "database" | "codec" | "logger">

/**
 * Called with the error of a call that has read a document. If Yjs cannot load the document, sets aside what makes it
 * fail, and returns the document's new id. Otherwise throws the error.
 */
export async function recoverFrom(error: unknown, services: SurveyServices, documentId: string): Promise<string> {
  const id = isUnreadable(error) ? await surveyStored(services, documentId) : undefined
  if (id === undefined || id === documentId) throw error
  return id
}

/**
 * Loads a document and stores how far its clients go. What cannot be loaded is set aside. Nothing is appended
 * meanwhile. Returns the document's id, which is a new one if something was set aside; undefined if it does not exist.
 */
export function surveyStored(services: SurveyServices, documentId: string): Promise<string | undefined> {
  const { database, codec, engine, logger } = services
  return database.transaction(async (connection) => {
    await connection.query(lockDocument(documentId))
    const whole = await readWholeDocument(connection, documentId)
    const { rows } = await connection.query(selectPlaceNames(documentId))
    const place = rows[0] && placeOf(engine, decodePlaceNames(rows[0]))
    if (whole === undefined || place === undefined) return undefined
    const survey = await codec.of(documentId).survey(rootOf(place), allUpdates(whole))
    if (survey.broken.length === 0) return keepSound(connection, { documentId, seq: whole.seq, survey })
    const broken = brokenParts(documentId, whole, survey)
    logger.error("A part of a shared document cannot be loaded, and was set aside in _kit_document_set_aside.", {
      document: documentId,
      record: { kind: place.resource.kind, resource: place.resource.name, id: place.recordId, field: place.field.name },
      updates: broken.updates,
      reason: broken.reason,
    })
    return setAside(connection, { broken, whole, survey })
  })
}

function placeOf(
  engine: SurveyServices["engine"],
  names: ReturnType<typeof decodePlaceNames>,
): DocumentPlace | undefined {
  // The cast is safe: the column is only ever written with the kind of a resource.
  return findPlace(engine.schema, { ...names, kind: names.kind as Resource["kind"] })
}

interface Sound {
  readonly documentId: string
  readonly seq: number
  readonly survey: DocumentSurvey
}

async function keepSound(connection: Transaction, { documentId, seq, survey }: Sound): Promise<string> {
  const clients = new Map([...survey.clocks].map(([client, clock]) => [client, { clock, owner: null }]))
  await connection.query(countClients(documentId, seq, clients))
  return documentId
}

// The state is the first of the updates that were surveyed.
function brokenParts(documentId: string, { updates }: WholeDocument, { broken, reason }: DocumentSurvey): BrokenParts {
  return {
    documentId,
    updates: broken.flatMap((place) => updates[place - 1]?.seq ?? []),
    isStateBroken: broken.includes(0),
    reason: reason ?? "",
  }
}

interface SettingAside {
  readonly broken: BrokenParts
  readonly whole: WholeDocument
  readonly survey: DocumentSurvey
}

async function setAside(connection: Transaction, { broken, whole, survey }: SettingAside): Promise<string> {
  const all = allUpdates(whole)
  const brokenBytes = survey.broken.reduce((sum, place) => sum + (all[place]?.byteLength ?? 0), 0)
  await connection.query(keepBroken(broken))
  await connection.query(emptyBroken(broken))
  await connection.query(resetClients(broken.documentId, survey.clocks))
  const { rows } = await connection.query(resetDocument(broken, { brokenBytes, problem: SET_ASIDE_PROBLEM }))
  return String(rows[0]?.[0])
}
