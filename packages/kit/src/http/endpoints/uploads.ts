import {
  type FileResource,
  findFileById,
  isFileResource,
  requireFileResource,
} from "../../engine/operations/reads/find-file.ts"
import { plainAnswer } from "../../engine/read/answer.ts"
import { requireId } from "../../engine/read/by-id.ts"
import { fileNotFound, serveFile } from "../../features/uploads/serve-file.ts"
import type { SignedLinks } from "../../features/uploads/signed-links.ts"
import type { StoredFiles } from "../../features/uploads/stored-files.ts"
import { uploadRecord } from "../../features/uploads/upload-record.ts"
import { checkWholeWrite } from "../change-options.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { readQuery } from "../input-members.ts"
import { collectionOf } from "./collections.ts"

// The options that a signed link has. A file is served whole, so that there are no others.
const LINK_OPTIONS = ["expires", "signature"]

interface UploadDependencies {
  readonly files: StoredFiles
  readonly links: SignedLinks
  readonly basePath: string
  readonly maxBodyBytes: number
}

/**
 * Returns the endpoints that store and serve uploaded files. The records of the files are read through the collection
 * endpoints.
 */
export function uploadEndpoints(parts: UploadDependencies): readonly Endpoint[] {
  return [
    {
      method: "POST",
      path: "/:collection/upload",
      takesBody: true,
      mayCompress: true,
      run: (call) => upload(parts, call),
    },
    { method: "GET", path: "/:collection/files/*key", run: (call) => serve(parts, call) },
    { method: "POST", path: "/:collection/:id/sign", run: (call) => sign(parts, call) },
  ]
}

async function upload({ files, maxBodyBytes }: UploadDependencies, call: EndpointCall) {
  const collection = requireFileResource(collectionOf(call))
  checkWholeWrite(call, collection)
  const request = {
    contentType: call.header("content-type"),
    contentLength: call.header("content-length"),
    maxTextBytes: maxBodyBytes,
    body: () => call.incoming.openBody(),
  }
  return { ...(await uploadRecord(call.ctx, collection, { files, request })), status: 201 }
}

async function serve(parts: UploadDependencies, call: EndpointCall) {
  const collection = collectionOf(call)
  if (!isFileResource(collection)) throw fileNotFound()
  const key = call.params["key"] ?? ""
  const { ctx, incoming } = call
  readQuery(call, LINK_OPTIONS)
  const isSigned = await parts.links.isSigned(fileUrl(parts, collection, key), incoming.query, ctx.now())
  const request = { key, isSigned, header: (name: string) => call.header(name) }
  return serveFile(ctx, collection, { files: parts.files, request })
}

async function sign(parts: UploadDependencies, call: EndpointCall) {
  const collection = requireFileResource(collectionOf(call))
  checkWholeWrite(call, collection)
  const { ctx, params } = call
  const file = await findFileById(ctx, collection, requireId(collection, params["id"]))
  if (file === undefined) throw fileNotFound()
  return plainAnswer(await parts.links.sign(fileUrl(parts, collection, file.key), ctx.now()))
}

// Returns the URL of a file. It must equal the field `url` of the file's record.
function fileUrl({ basePath }: UploadDependencies, { name }: FileResource, key: string): string {
  return `${basePath}/${name}/files/${key}`
}
