import type { OperationContext } from "../../engine/context/operation-context.ts"
import { type FileResource, findFileByKey, type StoredFile } from "../../engine/operations/reads/find-file.ts"
import type { ByteRange } from "../../ports/file-store.ts"
import { matchesEntityTag } from "../../wire/codecs/entity-tag.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { readRange, UnsatisfiableRange } from "./byte-range.ts"
import { contentDisposition } from "./file-name.ts"
import type { StoredFiles } from "./stored-files.ts"

/** A request for an uploaded file. */
interface FileRequest {
  readonly key: string
  header(name: string): string | null
  /** True if the request's URL has a valid signature, which grants the right to read the file. */
  readonly isSigned: boolean
}

const ONE_YEAR_SECONDS = 31_536_000

// The MIME types that a browser displays. Files of all other types are downloaded, because a browser could run some of
// them (HTML, SVG) as a page of this origin.
const INLINE_TYPES = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$|text\/plain$)/

/** Responds with a file or a byte range of the file, if the access rule allows it. */
export async function serveFile(
  ctx: OperationContext,
  resource: FileResource,
  { files, request }: { files: StoredFiles; request: FileRequest },
): Promise<{ readonly response: Response }> {
  const asked = request.isSigned ? { ...ctx, isSystem: true } : ctx
  const file = await findFileByKey(asked, resource, request.key)
  if (file === undefined) throw fileNotFound()
  const headers = headersOf(file, !request.isSigned && (await isForEveryone(ctx, resource, file)))
  const etag = headers["etag"]
  if (etag !== undefined && matchesEntityTag(request.header("if-none-match"), etag))
    return { response: new Response(null, { status: 304, headers }) }
  const isStale = (request.header("if-range") ?? etag) !== etag
  const range = readRange(isStale ? null : request.header("range"), file.size)
  if (range === "unsatisfiable") throw new UnsatisfiableRange(file.size)
  const { start, end } = range === "whole" ? { start: 0, end: file.size } : range
  const body = await files.store.open(file.key, { start, end })
  if (body === undefined) {
    ctx.logger.error("The file of a record is missing in the store.", { collection: resource.name, key: file.key })
    throw fileNotFound()
  }
  const length = { "content-length": String(end - start) }
  if (range === "whole") return { response: new Response(body, { headers: { ...headers, ...length } }) }
  const part = { ...headers, ...length, "content-range": contentRange(range, file.size) }
  return { response: new Response(body, { status: 206, headers: part }) }
}

/** Returns the error for a missing file. A file that is hidden from the caller gets the same error. */
export function fileNotFound(): ApiError {
  return new ApiError("NOT_FOUND", { message: "There is no such file." })
}

// True if anyone may read the file. Only then may a shared cache, such as a proxy, store the response.
async function isForEveryone(ctx: OperationContext, resource: FileResource, file: StoredFile): Promise<boolean> {
  if (file.visibility !== "public") return false
  if (ctx.session === null) return true
  return (await findFileByKey({ ...ctx, session: null }, resource, file.key)) !== undefined
}

function headersOf({ mimeType, filename, checksum }: StoredFile, isForEveryone: boolean): Record<string, string> {
  const isShown = INLINE_TYPES.test(mimeType)
  return {
    "content-type": mimeType === "text/plain" ? "text/plain; charset=utf-8" : mimeType,
    "content-disposition": contentDisposition(isShown ? "inline" : "attachment", filename),
    "accept-ranges": "bytes",
    etag: `"${checksum}"`,
    "x-content-type-options": "nosniff",
    ...(!isShown && { "content-security-policy": "sandbox; default-src 'none'" }),
    ...(isForEveryone
      ? {
          "cache-control": `public, max-age=${ONE_YEAR_SECONDS}, immutable`,
          "cross-origin-resource-policy": "cross-origin",
        }
      : { "cache-control": "private, no-cache" }),
  }
}

function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`
}
