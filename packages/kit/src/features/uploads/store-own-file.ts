import type { OperationContext } from "../../engine/context/operation-context.ts"
import { requireFileResource } from "../../engine/operations/reads/find-file.ts"
import { storeRecord } from "../../engine/operations/writes/create.ts"
import { resolveRowRights } from "../../engine/write/rights.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { makeKey } from "./file-key.ts"
import { receiveFile } from "./receive-file.ts"
import type { StoredFiles } from "./stored-files.ts"
import { fileValues } from "./upload-record.ts"

/** A file that code in this process wants to store. */
export interface OwnFile {
  readonly files: StoredFiles
  readonly file: File
  /** The values for the author's fields. */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Stores a file of system code and its record, in the transaction that is open on the connection of `ctx`. The types and
 * the size that the collection accepts apply as to every upload.
 */
export async function storeOwnFile(
  ctx: OperationContext,
  collection: string,
  { files, file, data }: OwnFile,
): Promise<{ readonly id: string }> {
  const found = ctx.schema.collections.get(collection)
  if (!found) throw new ApiError("NOT_FOUND", { message: `There is no collection "${collection}".` })
  const resource = requireFileResource(found)
  const rights = await resolveRowRights(ctx, resource, { operation: "upload" })
  const part = { name: "file", filename: file.name, body: file.stream() }
  const received = await receiveFile(part, await files.store.begin(), resource.upload)
  const { incoming, mimeType } = received
  const key = makeKey({ path: "", mimeType, now: ctx.now() })
  const { value } = await files.storeWith({ incoming, key, connection: ctx.connection }, () =>
    storeRecord(ctx, { resource, data, serverValues: fileValues(resource, { key, file: received }) }, rights),
  )
  return { id: String(value["id"]) }
}
