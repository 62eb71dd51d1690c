import { findPreviewUrl, type PreviewRequest } from "../../engine/operations/reads/find-preview-url.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { Endpoint } from "../endpoint.ts"

/** The endpoint of the address at which a page shows a record, by the author's `.preview(…)`. */
export const previewEndpoint: Endpoint = {
  method: "POST",
  path: "/_kit/preview-url",
  isRead: true,
  run: async (call) => findPreviewUrl(call.ctx, readRequest(await call.body())),
}

const MEMBERS = ["resource", "id", "stage", "locale"]

function readRequest(body: unknown): PreviewRequest {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("", 'Expected an object such as { "resource": "articles", "id": "…" }.')
  const unknown = Object.keys(body).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined)
    throw invalid(unknown, `There is no member "${unknown}" here.${didYouMean(unknown, MEMBERS)}`)
  const given: Readonly<Record<string, unknown>> = { ...body }
  const { resource, id, stage, locale } = given
  if (typeof resource !== "string") throw invalid("resource", "Expected the name of a collection or global.")
  if (id !== undefined && typeof id !== "string") throw invalid("id", "Expected the id of a record.")
  return { resource, id, stage, locale }
}
