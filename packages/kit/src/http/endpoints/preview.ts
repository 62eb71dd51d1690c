import { readMembers } from "../../engine/context/read-members.ts"
import { findPreviewUrl, type PreviewRequest } from "../../engine/operations/reads/find-preview-url.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { Endpoint } from "../endpoint.ts"
import { refuseQuery } from "../input-members.ts"

/** The endpoint of the address at which a page shows a record, by the author's `.preview(…)`. */
export const previewEndpoint: Endpoint = {
  method: "POST",
  path: "/_kit/preview-url",
  isRead: true,
  takesBody: true,
  run: async (call) => {
    refuseQuery(call)
    return findPreviewUrl(call.ctx, readRequest(await call.body()))
  },
}

const MEMBERS = ["resource", "id", "stage", "locale"]

function readRequest(body: unknown): PreviewRequest {
  const { resource, id, stage, locale } = readMembers(body, MEMBERS)
  if (typeof resource !== "string") throw invalid("resource", "Expected the name of a collection or global.")
  if (id !== undefined && typeof id !== "string") throw invalid("id", "Expected the id of a record.")
  return { resource, id, stage, locale }
}
