import { ALL_LOCALES } from "../../../schema/compile/locales.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import type { PreviewFunction } from "../../../schema/presentation/presentation.ts"
import { ApiError, type ErrorCode, invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { inStage } from "../../access/stage.ts"
import { inLocale } from "../../context/locale.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import { type Answer, plainAnswer } from "../../read/answer.ts"
import { unnamedDraft } from "../../read/record-not-shown.ts"
import { lookUpRecord, readGlobal } from "./find.ts"

/** A record of a collection, or the record of a global if there is no id. */
export interface PreviewRequest {
  readonly resource: string
  readonly id?: string | undefined
  readonly stage?: unknown
  readonly locale?: unknown
}

/**
 * Returns the address of the page that shows a record, from the author's function, which gets the record as the caller
 * reads it. The address is null if the function knows none. Throws NOT_FOUND if there is no preview, or if the caller
 * may not read the record: callers must not learn which collections and stages exist. For a caller who may read the
 * record's draft, the error says which stage to name.
 */
export async function findPreviewUrl(
  outer: OperationContext,
  request: PreviewRequest,
): Promise<Answer<{ readonly url: string | null }>> {
  const ctx = inLocale(outer, { locale: request.locale })
  if (ctx.locale === ALL_LOCALES) throw invalid("locale", "A preview has one locale. Name it.")
  const { collections, globals } = ctx.schema
  const resource = request.id === undefined ? globals.get(request.resource) : collections.get(request.resource)
  const preview = resource?.presentation.preview
  if (resource === undefined || preview === undefined) throw noPreview()
  const shown = await unlessUnreadable(() => readShown(ctx, resource, request))
  if (shown === undefined) throw (await unlessUnreadable(() => unnamedStage(ctx, resource, request))) ?? noPreview()
  return plainAnswer({ url: await callPreview(preview, { ...shown, locale: ctx.locale }) })
}

function noPreview(): ApiError {
  return new ApiError("NOT_FOUND", { message: "There is no preview of such a record." })
}

interface Shown {
  readonly record: RecordData
  readonly stage: string | null
}

const UNREADABLE: ReadonlySet<ErrorCode> = new Set(["NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN", "VALIDATION_ERROR"])

// Returns undefined in place of the errors of callers who may not read the record, or name a stage that does not exist.
async function unlessUnreadable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && UNREADABLE.has(error.code)) return undefined
    throw error
  }
}

async function readShown(
  ctx: OperationContext,
  resource: Resource,
  request: PreviewRequest,
): Promise<Shown | undefined> {
  const given = optionsOf(request)
  const record =
    request.id === undefined
      ? await readGlobal(ctx, resource, given)
      : await lookUpRecord(ctx, resource, { id: request.id, given })
  return record?.value ? { record: record.value, stage: await stageOf(ctx, resource, given) } : undefined
}

async function unnamedStage(
  ctx: OperationContext,
  resource: Resource,
  request: PreviewRequest,
): Promise<ApiError | undefined> {
  const { id } = request
  return id === undefined ? undefined : await unnamedDraft(ctx, resource, { id, given: optionsOf(request) })
}

function optionsOf({ stage }: PreviewRequest): UncheckedOptions {
  return { options: stage === undefined ? {} : { stage }, isText: false }
}

// Without a named stage, a read uses the working copies or the public stage.
async function stageOf(ctx: OperationContext, resource: Resource, given: UncheckedOptions): Promise<string | null> {
  const { workflow } = resource
  if (workflow === undefined) return null
  const { stage } = given.options
  if (typeof stage === "string") return stage
  const read = await inStage(ctx, resource, given)
  return read.resource.working === undefined ? workflow.initial : workflow.public
}

async function callPreview(preview: PreviewFunction, shown: Parameters<PreviewFunction>[0]): Promise<string | null> {
  const address: unknown = await callAuthor(() => preview(shown))
  if (address === null || address === undefined) return null
  const safe = typeof address === "string" ? safeAddress(address) : undefined
  if (safe === undefined) throw new Error("A preview function returned neither a path nor an http address.")
  return safe
}

// Even an error that is meant for callers stays on the server, because the function is not part of what they asked for.
async function callAuthor<Result>(call: () => Result): Promise<Awaited<Result>> {
  try {
    return await call()
  } catch (cause) {
    throw new Error("A preview function failed.", { cause })
  }
}

const HERE = "http://here.invalid"

// Returns a path, or an address with http or https, as browsers read it. Returns undefined for everything else, such as
// an address that runs a script, or a path that browsers take for another host.
function safeAddress(address: string): string | undefined {
  const isPath = address.startsWith("/")
  const base = isPath ? HERE : undefined
  if (!URL.canParse(address, base)) return undefined
  const { href, protocol, origin, pathname, search, hash } = new URL(address, base)
  if (protocol !== "http:" && protocol !== "https:") return undefined
  if (!isPath) return href
  return origin === HERE && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : undefined
}
