import type { Resource } from "../../schema/compile/resource.ts"
import { type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import { type ApiError, invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { denied, evaluateActiveAccess } from "../access/authorize.ts"
import { evaluateStageCopies, inStage } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"
import { COLLECTION_OPTIONS, type SearchRequest } from "./search-request.ts"

/** A searchable collection that the caller may read, in the stage of the search. */
export interface OpenCollection {
  readonly ctx: OperationContext
  readonly resource: Resource
  /** The rows that the caller may read. */
  readonly rows: Predicate
  /** The options of the search that apply to this collection, as those of a `find`. */
  readonly given: UncheckedOptions
}

/**
 * Returns the collections that the request searches, by the rights of the caller. A name that is not a collection, not a
 * searchable one or not one that the caller may read causes the same error.
 */
export async function openCollections(
  ctx: OperationContext,
  request: SearchRequest,
): Promise<readonly OpenCollection[]> {
  const searchable = [...ctx.schema.collections.values()].filter(({ search }) => search !== undefined)
  const asked = request.collections && new Set(request.collections)
  const candidates = asked ? searchable.filter(({ name }) => asked.has(name)) : searchable
  const outcomes = await mapInParallel(candidates, (resource) => openCollection(ctx, resource, request))
  await checkNames(ctx, { names: request.collections ?? [], searchable, outcomes })
  const stageError = outcomes.find((outcome) => outcome.kind === "stageClosed")?.error
  if (asked && stageError) throw stageError
  const open = outcomes.flatMap((outcome) => (outcome.kind === "open" ? [outcome.collection] : []))
  checkStage(request, open)
  return open
}

interface NamedCollections {
  readonly names: readonly string[]
  readonly searchable: readonly Resource[]
  readonly outcomes: readonly Outcome[]
}

async function checkNames(ctx: OperationContext, { names, searchable, outcomes }: NamedCollections): Promise<void> {
  const known = new Set(outcomes.flatMap((outcome) => (outcome.kind === "closed" ? [] : [outcome.name])))
  const index = names.findIndex((name) => !known.has(name))
  const name = names[index]
  if (name !== undefined) throw await unknownCollection(ctx, { searchable, name, path: `collections.${index}` })
}

type Outcome =
  | { readonly kind: "closed" }
  | { readonly kind: "stageClosed"; readonly name: string; readonly error: ApiError }
  | { readonly kind: "open"; readonly name: string; readonly collection: OpenCollection }

async function openCollection(outer: OperationContext, asked: Resource, request: SearchRequest): Promise<Outcome> {
  const { stage } = request
  const { name, workflow } = asked
  const isStaged = stage !== undefined && workflow !== undefined
  const problem = isStaged ? await stageProblem(outer, asked, stage) : undefined
  const own = COLLECTION_OPTIONS.flatMap((option) => {
    const value = request[option][name]
    return value === undefined ? [] : [[option, value] as const]
  })
  const options = { ...Object.fromEntries(own), ...(isStaged && problem === undefined ? { stage } : {}) }
  const given: UncheckedOptions = { options, isText: false }
  const { ctx, resource } = await inStage(outer, asked, given)
  const access = await evaluateActiveAccess(ctx, resource, { operation: "read" })
  if (access.kind === "deny") return { kind: "closed" }
  if (problem) return { kind: "stageClosed", name, error: problem }
  return { kind: "open", name, collection: { ctx, resource, rows: predicateOf(access), given } }
}

// Returns the error of a `find` in this stage, if the collection has no such stage or if the caller may not read it.
async function stageProblem(ctx: OperationContext, resource: Resource, stage: string): Promise<ApiError | undefined> {
  if (!resource.workflow?.stages.has(stage)) return noSuchStage()
  const access = await evaluateStageCopies(ctx, resource, stage)
  return access.kind === "deny" ? denied(ctx.session, `read the stage "${stage}" of ${resource.name}`) : undefined
}

function checkStage({ stage }: SearchRequest, open: readonly OpenCollection[]): void {
  if (stage === undefined || open.some(({ resource }) => resource.workflow !== undefined)) return
  throw noSuchStage()
}

function noSuchStage(): ApiError {
  return invalid("stage", "No searched collection has this stage.")
}

interface UnknownCollection {
  readonly searchable: readonly Resource[]
  readonly name: string
  readonly path: string
}

// Returns the error for a collection that the caller cannot search. It suggests only collections that the caller can.
async function unknownCollection(
  ctx: OperationContext,
  { searchable, name, path }: UnknownCollection,
): Promise<ApiError> {
  const names = await mapInParallel(searchable, async (resource) => {
    const access = await evaluateActiveAccess(ctx, resource, { operation: "read" })
    return access.kind === "deny" ? [] : [resource.name]
  })
  return invalid(path, `There is no collection "${name}" to search.${didYouMean(name, names.flat())}`)
}
