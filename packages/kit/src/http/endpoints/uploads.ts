import { type FileResource, fileResource, isFileResource } from "../../engine/operations/file.ts"
import { checkOptions } from "../../engine/read-options.ts"
import type { KeptFiles } from "../../features/uploads/kept-files.ts"
import { fileNotFound, serveFile } from "../../features/uploads/serve-file.ts"
import { uploadRecord } from "../../features/uploads/upload-record.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { collectionOf } from "./collections.ts"

/** Files come in and go out here; their records are those of the collection. */
export function uploadEndpoints(files: KeptFiles, maxTextBytes: number): readonly Endpoint[] {
  return [
    {
      method: "POST",
      path: "/:collection/upload",
      run: async (call) => {
        const collection = fileResource(collectionOf(call))
        checkOptions(call.ctx, "write", call.options())
        const request = uploadRequest(call, maxTextBytes)
        return { ...(await uploadRecord(call.ctx, collection, { files, request })), status: 201 }
      },
    },
    {
      method: "GET",
      path: "/:collection/files/*key",
      run: (call) => {
        const key = call.params["key"] ?? ""
        const request = { key, isSigned: false, header: (name: string) => call.header(name) }
        return serveFile(call.ctx, servedCollection(call), { files, request })
      },
    },
  ]
}

function uploadRequest(call: EndpointCall, maxTextBytes: number) {
  return {
    contentType: call.header("content-type"),
    contentLength: call.header("content-length"),
    maxTextBytes,
    body: () => call.incoming.openBody(),
  }
}

function servedCollection(call: EndpointCall): FileResource {
  const collection = collectionOf(call)
  if (!isFileResource(collection)) throw fileNotFound()
  return collection
}
