import { evaluateInputFields } from "../../engine/access/field-rights.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { FileResource } from "../../engine/operations/reads/find-file.ts"
import { storeRecord } from "../../engine/operations/writes/create.ts"
import type { Answer } from "../../engine/read/answer.ts"
import { resolveRowRights, type WriteRights } from "../../engine/write/rights.ts"
import type { ResourceField } from "../../schema/compile/resource.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { makeKey } from "./file-key.ts"
import type { ReceivedFile } from "./receive-file.ts"
import type { StoredFiles } from "./stored-files.ts"
import { readUploadForm, type UploadForm, type UploadRequest } from "./upload-form.ts"

/**
 * Stores a file and its record: evaluates the upload rule, reads the form as it arrives, then stores the file and the
 * record, or neither.
 */
export async function uploadRecord(
  ctx: OperationContext,
  resource: FileResource,
  { files, request }: { files: StoredFiles; request: UploadRequest },
): Promise<Answer<RecordData>> {
  const rights = await resolveRowRights(ctx, resource, { operation: "upload" })
  const form = await readUploadForm({ resource, store: files.store }, request)
  const { incoming, mimeType } = form.file
  const key = makeKey({ path: form.path, mimeType, now: ctx.now() })
  return files.storeWith({ incoming, key }, async () => {
    const record = { resource, data: form.data, serverValues: fileValues(resource, { key, file: form.file }) }
    return storeRecord(ctx, record, await withFieldRights(ctx, rights, { resource, form }))
  })
}

// Evaluates the field rules. This happens after the form has arrived, because only the form shows which fields are
// written.
async function withFieldRights(
  ctx: OperationContext,
  rights: WriteRights,
  { resource, form }: { resource: FileResource; form: UploadForm },
): Promise<WriteRights> {
  const fields = await evaluateInputFields(ctx, resource, { operation: "create", input: form.data })
  return fields.length === 0 ? rights : { ...rights, fields, areUnconditional: false }
}

/** Returns the values of a file's record that only the server sets. */
export function fileValues(
  { upload: { fields } }: FileResource,
  { key, file }: { key: string; file: ReceivedFile },
): ReadonlyMap<ResourceField, unknown> {
  return new Map<ResourceField, unknown>([
    [fields.key, key],
    [fields.filename, file.filename],
    [fields.mimeType, file.mimeType],
    [fields.size, file.size],
    [fields.checksum, file.checksum],
    [fields.width, file.dimensions?.width ?? null],
    [fields.height, file.dimensions?.height ?? null],
  ])
}
