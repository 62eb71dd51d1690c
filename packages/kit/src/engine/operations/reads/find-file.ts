import { isProblem } from "../../../schema/compile/field-type.ts"
import type { Resource, ResourceUpload } from "../../../schema/compile/resource.ts"
import { operatorsOf } from "../../../sql/filter/operators.ts"
import { both, type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { evaluateActiveAccess } from "../../access/authorize.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { byId } from "../../read/by-id.ts"

/** A collection for uploads, in which each record describes one uploaded file. */
export type FileResource = Resource & { readonly upload: ResourceUpload }

/** The metadata that a record stores about its uploaded file. */
export interface StoredFile {
  readonly key: string
  readonly filename: string
  readonly mimeType: string
  readonly size: number
  readonly checksum: string
  readonly visibility: string
}

/** Returns the metadata of the file with this storage key, if the serve rule lets the caller download the file. */
export async function findFileByKey(
  ctx: OperationContext,
  resource: FileResource,
  key: string,
): Promise<StoredFile | undefined> {
  const isText = !isProblem(resource.upload.fields.key.type.parseOperand(key))
  return isText ? await findFile(ctx, resource, keyIs(resource, key)) : undefined
}

/** Returns the metadata of a record's uploaded file, if the serve rule lets the caller download the file. */
export function findFileById(ctx: OperationContext, resource: FileResource, id: string) {
  return findFile(ctx, resource, byId(resource, id))
}

export function isFileResource(resource: Resource): resource is FileResource {
  return resource.upload !== undefined
}

/** Returns the resource if it is a collection for uploads; otherwise throws BAD_REQUEST. */
export function requireFileResource(resource: Resource): FileResource {
  if (isFileResource(resource)) return resource
  const message = `"${resource.name}" does not accept files. Add .upload({ … }) to the collection, or send JSON.`
  throw new ApiError("BAD_REQUEST", { message })
}

async function findFile(
  ctx: OperationContext,
  resource: FileResource,
  predicate: Predicate,
): Promise<StoredFile | undefined> {
  const access = await evaluateActiveAccess(ctx, resource, { operation: "serve" })
  if (access.kind === "deny") return undefined
  const { key, filename, mimeType, size, checksum, visibility } = resource.upload.fields
  const fields = [key, filename, mimeType, size, checksum, visibility]
  const selection = { resource, fields, relations: [] }
  const { rows } = await ctx.connection.query(selectMatching(selection, both(predicate, predicateOf(access))))
  return rows[0] && toFile(rows[0])
}

function toFile([key, filename, mimeType, size, checksum, visibility]: readonly unknown[]): StoredFile {
  return {
    key: String(key),
    filename: String(filename),
    mimeType: String(mimeType),
    size: Number(size),
    checksum: String(checksum),
    visibility: String(visibility),
  }
}

function keyIs({ upload }: FileResource, key: string): Predicate {
  const operator = operatorsOf("text").get("eq")
  if (operator === undefined) throw new Error("The operator table has no equality.")
  return { kind: "compare", field: upload.fields.key, operator, operand: key }
}
