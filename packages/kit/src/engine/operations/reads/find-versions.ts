import { GLOBAL_ROW_ID, type Resource, type ResourceField } from "../../../schema/compile/resource.ts"
import { isMasked, type MaskedField } from "../../../sql/filter/masked-field.ts"
import { both, DENY, type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import { typedParseContext } from "../../../sql/parse/parse-context.ts"
import { wholeSelection } from "../../../sql/parse/parse-selection.ts"
import type { Selection } from "../../../sql/parse/selection.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { selectVersions } from "../../../sql/versions/read-versions.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { CursorPage } from "../../../wire/results/results.ts"
import { authorize } from "../../access/authorize.ts"
import { readableRows } from "../../access/readable-rows.ts"
import { draftRows, readOptionalStage, type WrittenStage } from "../../access/stage.ts"
import { visibilityOf } from "../../access/visibility.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { checkOptions, isByCursor, readCursors, readWindow, type UncheckedOptions } from "../../context/read-options.ts"
import { type Answer, answer, authoredAnswer, plainAnswer } from "../../read/answer.ts"
import { byId, canonicalId, checkGlobalId, recordNotFound, requireId } from "../../read/by-id.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { hasReadHooks, runAfterRead, runBeforeRead } from "../../read/read-hooks.ts"
import { toRecords } from "../../read/records.ts"
import { emptyVersionPage, planVersionRange, readVersionRange } from "./find-version-range.ts"

/** Versions of a record: a list or, if they are read by cursors, a page. */
type FoundVersions = readonly RecordData[] | CursorPage<RecordData>

/**
 * Returns a record's versions, newest first, if the caller may read the record and its versions. With the option
 * `stage`, returns only those of that stage: of the initial stage, those of the working copy. With a cursor, returns a
 * page of them.
 */
export async function findVersions(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, given }: { readonly id: string; readonly given: UncheckedOptions },
): Promise<Answer<FoundVersions>> {
  checkOptions(ctx, "versions", given)
  requireVersions(resource)
  const stage = readOptionalStage(resource, given.options["stage"])
  const window = readWindow(given)
  const list = { selection: { resource }, versionsOf: canonicalId(resource, asked) }
  const range = await planVersionRange(ctx, list, given)
  const row = await readableRow(ctx, { resource, stage }, { id: asked, given })
  const selection = withVersion(wholeSelection(resource, typedParseContext(row.visibility)))
  if (range) {
    const page = await readVersionRange(ctx, selection, { id: row.id, limit: window.limit, stage, range })
    return answerVersionPage(ctx, selection, page)
  }
  const { rows } = await readForAnswer(ctx, selectVersions(selection, { id: row.id, window, stage }))
  const records = await toRecords(selection, rows)
  if (!hasReadHooks(selection)) return answer(records, selection, "*.")
  return authoredAnswer(await runAfterRead(ctx, { selection, operation: "versions" }, records))
}

async function answerVersionPage(
  ctx: OperationContext,
  selection: Selection,
  page: CursorPage<RecordData>,
): Promise<Answer<CursorPage<RecordData>>> {
  if (!hasReadHooks(selection)) return answer(page, selection, "docs.*.")
  return authoredAnswer({ ...page, docs: await runAfterRead(ctx, { selection, operation: "versions" }, page.docs) })
}

export function requireVersions({ name, versions }: Resource): void {
  if (versions) return
  throw new ApiError("BAD_REQUEST", { message: `"${name}" keeps no versions.` })
}

// Checks that the caller may read the record and its versions. The access rules are evaluated on the record as it is
// now, not on its versions.
async function readableRow(
  ctx: OperationContext,
  { resource, stage }: WrittenStage,
  { id: asked, given }: { readonly id: string; readonly given: UncheckedOptions },
) {
  const idForRules = canonicalId(resource, asked)
  const readable = await readableRows(ctx, resource, { given, id: idForRules })
  const versions = await authorize(ctx, resource, { operation: "versions", id: idForRules })
  await runBeforeRead(ctx, resource, { operation: "versions", id: idForRules })
  const id = requireId(resource, asked)
  // Versions count as drafts, so the caller also needs the right to read drafts.
  const drafts = await draftRows(ctx, { resource, stage })
  const predicate = [byId(resource, id), readable, predicateOf(versions), drafts].reduce(both)
  const fields = await visibleFieldsIn(ctx, resource, { predicate, reached: NOTHING_REACHED })
  if (fields === undefined) throw recordNotFound(resource, asked)
  return { id, visibility: { fields: () => fields, rows: () => DENY } }
}

/**
 * Returns the fields that are visible to the caller in the row that matches `predicate`; undefined if no row matches.
 */
export async function visibleFieldsIn(
  ctx: OperationContext,
  resource: Resource,
  { predicate, reached }: { readonly predicate: Predicate; readonly reached: ReadonlySet<Resource> },
): Promise<ReadonlyMap<string, ResourceField> | undefined> {
  const named = (await visibilityOf(ctx, resource, reached)).fields(resource)
  const masked = [...named.values()].filter(isMasked)
  const { rows } = await ctx.connection.query(selectMatching(flagsOf(resource, masked), predicate))
  if (rows[0] === undefined) return undefined
  const hidden = masked.filter((_field, index) => rows[0]?.[index + 1] !== true)
  return visibleFields(resource, named, hidden)
}

const NOTHING_REACHED: ReadonlySet<Resource> = new Set()

function flagsOf(resource: Resource, masked: readonly MaskedField[]): Selection {
  return { resource, fields: [resource.id], relations: [], masked }
}

function visibleFields(
  resource: Resource,
  named: ReadonlyMap<string, ResourceField>,
  hidden: readonly ResourceField[],
): ReadonlyMap<string, ResourceField> {
  const without = new Set(hidden.map(({ name }) => name))
  const shown = [...named.keys()].filter((name) => !without.has(name))
  return new Map(
    shown.flatMap((name) => {
      const field = resource.fields.get(name)
      return field ? [[name, field] as const] : []
    }),
  )
}

// A version is no working copy, so that it has not changed since the record was published.
function withVersion(selection: Selection): Selection {
  const fields = selection.fields.filter(({ comparison }) => comparison === undefined)
  return { ...selection, fields: [...fields, ...(selection.resource.versions?.answerFields ?? [])] }
}

/**
 * Returns the versions of a global, or an empty list or page before its first write. The option `id` may be left out;
 * its only valid value is the id of the global's row.
 */
export async function findGlobalVersions(
  ctx: OperationContext,
  resource: Resource,
  { options, isText }: UncheckedOptions,
): Promise<Answer<FoundVersions>> {
  const { id, ...rest } = options
  checkGlobalId(resource, id)
  const given = { options: rest, isText }
  try {
    return await findVersions(ctx, resource, { id: GLOBAL_ROW_ID, given })
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return plainAnswer(noVersions(given))
    throw error
  }
}

// Its cursors have been checked: this comes after it.
function noVersions(given: UncheckedOptions): FoundVersions {
  return isByCursor(given) ? emptyVersionPage(readWindow(given).limit, readCursors(given)) : []
}
