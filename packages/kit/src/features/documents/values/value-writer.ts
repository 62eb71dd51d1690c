import { isDeepStrictEqual } from "node:util"
import type { WriteContext } from "../../../engine/context/hook-context.ts"
import { withinLifetime } from "../../../engine/context/lifetime.ts"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import { explainError } from "../../../engine/database/database-errors.ts"
import { rootOf } from "../../../engine/documents/exact-place.ts"
import { lockDocumentRecord, valueContext, writeDocumentValue } from "../../../engine/documents/write-document-value.ts"
import type { Statement, Transaction } from "../../../ports/database.ts"
import type { Session } from "../../../ports/session-provider.ts"
import type { WholeDocument } from "../../../sql/documents/read-documents.ts"
import { showProblem } from "../../../sql/documents/set-aside.ts"
import {
  acceptValue,
  decodeUncompacted,
  followValue,
  refuseValue,
  setAside,
  type Uncompacted,
} from "../../../sql/documents/write-value.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { compact, needsCompaction } from "../compact.ts"
import type { DocumentServices, OpenDocument } from "../document-services.ts"
import { foldRefused } from "../fold.ts"
import { findNewName, rememberValueNames } from "../names/value-names.ts"
import { exceedsLimit } from "../patient-codec.ts"
import { allUpdates, readFieldValue, readWholeDocument } from "../read-document.ts"
import { recoverFrom, SET_ASIDE_PROBLEM } from "../set-broken-aside.ts"
import { reconcile } from "./reconcile.ts"

/** A document whose value is to be written. */
export interface UnwrittenValue extends OpenDocument {
  /** The session of the last editor, if this process has received the edit; undefined if another one has. */
  readonly session: Session | null | undefined
}

const MAX_TRIES = 5

/**
 * Writes a document's value into its record. Does nothing if the record has the value, or no longer exists. What cannot
 * be loaded of the document is set aside first.
 */
export async function writeValue(services: DocumentServices, unwritten: UnwrittenValue): Promise<void> {
  try {
    await writeReadable(services, unwritten)
  } catch (error) {
    const id = await recoverFrom(error, services, unwritten.id)
    await writeReadable(services, { ...unwritten, id })
    await services.database.query(showProblem(id, SET_ASIDE_PROBLEM))
  }
}

async function writeReadable(services: DocumentServices, unwritten: UnwrittenValue): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await reconcile(services, unwritten)
    const whole = await readWholeDocument(services.database, unwritten.id)
    if (whole === undefined || whole.seq === whole.valueSeq) return
    const outcome = await writeOnce(services, unwritten, whole)
    if (outcome.kind === "outpaced") continue
    if (outcome.kind === "kept") await foldRefused(services, unwritten.id)
    else if (needsCompaction(outcome.left)) await compact(services, unwritten.id)
    return
  }
  // Thrown, so that it is tried again later.
  throw new Error(`The record of the shared document ${unwritten.id} changes all the time.`)
}

type Outcome =
  | { readonly kind: "written"; readonly left: Uncompacted }
  /** The record or the document has changed in the meantime, so that the value has to be read again. */
  | { readonly kind: "outpaced" }
  /** The record no longer exists, or refuses the value. */
  | { readonly kind: "kept" }

interface ValueWrite extends OpenDocument {
  readonly whole: WholeDocument
  readonly value: unknown
  readonly authors: readonly string[]
}

async function writeOnce(
  services: DocumentServices,
  { place, id, session: known }: UnwrittenValue,
  whole: WholeDocument,
): Promise<Outcome> {
  const { engine, database, callHandler } = services
  const { authors, lastEditor } = editorsOf(whole)
  const read = await readValue(services, { place, id }, whole)
  if ("problem" in read) {
    await database.query(refusal({ id, whole }, read.problem))
    return { kind: "kept" }
  }
  const { value } = read
  const session = await sessionOf(services, lastEditor, known)
  const write = { place, id, whole, value, authors }
  const inTransaction = (connection: Transaction, ctx: OperationContext) =>
    writeLocked(services, valueContext({ ...ctx, connection }, place, session), write)
  try {
    return await callHandler(() =>
      withinLifetime(engine.contextFor(session), (ctx) =>
        database.transaction((connection) => inTransaction(connection, ctx)),
      ),
    )
  } catch (error) {
    if (error instanceof OutpacedError) return { kind: "outpaced" }
    throw error
  }
}

/** Thrown if the document's value has changed in the meantime, so that the write of the record is rolled back. */
class OutpacedError extends Error {}

type ReadValue = { readonly value: unknown } | { readonly problem: string }

async function readValue(
  { codec, logger }: DocumentServices,
  { place, id }: OpenDocument,
  whole: WholeDocument,
): Promise<ReadValue> {
  try {
    return { value: await codec.of(id).read(rootOf(place), allUpdates(whole)) }
  } catch (error) {
    // Another process or a later try may be able to read it, or what makes it unreadable is set aside.
    if (!exceedsLimit(error)) throw error
    logger.error("The value of a shared document could not be read.", { document: id, error })
    return {
      problem: `The value could not be saved, because the document takes too much ${error.exceededLimit} to read.`,
    }
  }
}

function refusal({ id, whole }: Pick<ValueWrite, "id" | "whole">, problem: string): Statement {
  return refuseValue({ documentId: id, valueRev: whole.valueRev, seq: whole.seq, problem })
}

interface Editors {
  readonly authors: readonly string[]
  readonly lastEditor: string | null
}

function editorsOf({ updates, valueSeq }: WholeDocument): Editors {
  const edits = updates.filter(({ seq, isOfValue }) => seq > valueSeq && !isOfValue)
  const authors = new Set(edits.flatMap(({ userId }) => (userId === null ? [] : [userId])))
  return { authors: [...authors], lastEditor: edits.at(-1)?.userId ?? null }
}

async function sessionOf(
  { sessionLoader }: DocumentServices,
  userId: string | null,
  known: Session | null | undefined,
): Promise<Session | null> {
  if (known !== undefined && (known?.user.id ?? null) === userId) return known
  if (userId === null) return null
  // A user who has been deleted, or whose session cannot be loaded, remains the author of the edit.
  return (await sessionLoader.load?.(userId)) ?? { user: { id: userId } }
}

async function writeLocked(services: DocumentServices, ctx: WriteContext, write: ValueWrite): Promise<Outcome> {
  const { place, id, whole, value } = write
  if (!(await lockDocumentRecord(ctx, place))) {
    await ctx.connection.query(setAside({ documentId: id, valueRev: whole.valueRev, seq: whole.seq }))
    return { kind: "kept" }
  }
  const before = await readFieldValue(ctx.connection, place)
  if (before?.hash !== whole.valueHash) return { kind: "outpaced" }
  const isWritten = isDeepStrictEqual(before.value, value)
  const problem = isWritten
    ? undefined
    : (findNewName(place, before.value, value) ?? (await tryToWrite(services, ctx, write)))
  if (problem !== undefined) {
    await ctx.connection.query(refusal(write, problem))
    return { kind: "kept" }
  }
  return acceptWritten(services, ctx, write)
}

// Returns the reason why the record refuses the value; undefined if the value is written.
async function tryToWrite(
  { logger }: DocumentServices,
  ctx: WriteContext,
  { place, id, value, authors }: ValueWrite,
): Promise<string | undefined> {
  try {
    await ctx.connection.transaction((connection) =>
      writeDocumentValue({ ...ctx, connection }, place, { value, authors }),
    )
    return undefined
  } catch (thrown) {
    const error = explainError(ctx.schema, thrown)
    if (!(error instanceof ApiError)) {
      logger.error("The value of a shared document could not be written.", { document: id, error })
      return "The value could not be saved, because of an error on the server."
    }
    if (error.code === "SERVICE_UNAVAILABLE") throw error
    return reasonFor(error, place.field.name)
  }
}

// The editors of the document may not know the record's other fields, nor what is wrong with them.
function reasonFor({ message, fieldErrors }: ApiError, name: string): string {
  if (fieldErrors === undefined) return message
  const known = fieldErrors.find(({ path }) => path === "" || path === name || path.startsWith(`${name}.`))
  return known?.message ?? "The value could not be saved, because another field of the record is not valid."
}

async function acceptWritten(
  { codec }: DocumentServices,
  { connection }: WriteContext,
  { place, id, whole, value }: ValueWrite,
): Promise<Outcome> {
  const written = await readFieldValue(connection, place)
  if (written === undefined) return { kind: "kept" }
  // A hook may have changed the value. The document then gets the same change. The edit is made before the document is
  // locked, so that nobody who types waits for it.
  const edit = isDeepStrictEqual(written.value, value)
    ? undefined
    : await codec.of(id).edit(rootOf(place), allUpdates(whole), written.value)
  const known = { documentId: id, valueSeq: whole.seq, hash: written.hash }
  const accepted = acceptValue({ ...known, valueRev: whole.valueRev }, whole.problem !== null)
  const { rows } = await connection.query(accepted)
  const [row] = rows
  if (row === undefined) throw new OutpacedError("Another process has changed the document's value.")
  if (edit) {
    await rememberValueNames(connection, { place, id }, written.value)
    const made = { update: edit, clients: await codec.clientsOf(edit) }
    await connection.query(followValue({ ...known, valueRev: whole.valueRev + 1 }, made))
  }
  return { kind: "written", left: decodeUncompacted(row) }
}
