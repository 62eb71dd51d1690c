import { isUpdatable, type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import type { CommittedChange } from "../../sql/changes/read-changes.ts"
import { type Access, both, DENY, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import { tablesOfRead } from "../../sql/read/tables-read.ts"
import { evaluateRow } from "../../sql/write/write.ts"
import { authorize, type CallFacts, denied, evaluateAccess, evaluateFieldRule, ruleOf } from "../access/authorize.ts"
import { matchesInMemory } from "../access/predicate.ts"
import { evaluateDrafts } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { rowsOfChange } from "../live/change-row.ts"
import { observeReads } from "../live/observe-reads.ts"
import { resourceKey, resourcesMentioned, resourcesOf } from "../live/resources-read.ts"
import { canonicalId, recordNotFound } from "../read/by-id.ts"
import { runBeforeRead } from "../read/read-hooks.ts"
import { bothAllow } from "../write/rights.ts"
import {
  addressInRecord,
  type DocumentAddress,
  inDocumentLocale,
  type NamedDocument,
  noSuchDocument,
  onlyCollaborativeField,
  recordOfDocument,
  resourceOfDocument,
} from "./document-address.ts"

/** A document that the caller may read, and whether the caller may edit it. */
export interface DocumentRights {
  readonly address: DocumentAddress
  readonly canEdit: boolean
  /**
   * The keys of the resources that rules and hooks queried, or by which they restrict the rows. The record itself does
   * not count: `isAffectedBy` decides about its changes.
   */
  readonly ruleDependencies: ReadonlySet<string>
  /**
   * True if a function of the author decides about the rights. Its next result may differ even if no data has changed.
   */
  readonly hasRuleFunction: boolean
  /** True if the change, which is one of the document's record, may alter the rights. */
  isAffectedBy(change: CommittedChange): boolean
}

/**
 * Evaluates whether the caller may read and edit a document. Reading it takes the right to read the record's working
 * copy and the field in it, editing it the right to update both. Throws if the caller may not read it: the error is the
 * same for a record or field that does not exist.
 */
export async function evaluateDocumentRights(outer: OperationContext, named: NamedDocument): Promise<DocumentRights> {
  const located = inDocumentLocale(outer, named)
  const resource = await resourceOfDocument(located, named)
  const queried = new Set<string>()
  const connection = observeReads(located.connection, located.schema, (key) => queried.add(key))
  const rules = await evaluateRules({ ...located, connection }, resource, named)
  const recordId = recordOfDocument(resource, named)
  const accesses = [rules.record, rules.field, rules.edit]
  const predicates = accesses.map(predicateOf)
  const { rows } = await located.connection.query(evaluateRow(resource, recordId, predicates))
  const [isReadable, isShown, canEdit] = rows[0] ?? verdictsWithoutRow(resource, accesses)
  if (isReadable !== true) throw recordNotFound(resource, named.recordId)
  const field = nameableField(resource, named)
  if (field === undefined || isShown !== true) throw noSuchDocument(resource, named.field)
  return {
    address: addressInRecord(located, { resource, field, recordId }),
    canEdit: canEdit === true,
    ruleDependencies: new Set([...queried, ...resourcesIn(located, resource, predicates)]),
    hasRuleFunction: hasRuleFunction(resource, field),
    isAffectedBy: (change) => mayAlter(resource, predicates, change),
  }
}

// A global can be read before its first write, which creates its row. Until then, no rule that looks at the row allows
// anything.
function verdictsWithoutRow({ kind }: Resource, accesses: readonly Access[]): readonly boolean[] {
  return accesses.map((access) => kind === "global" && access.kind === "allow")
}

/** The rows in which the rules allow a caller to read the record, to read the field, and to edit the field. */
interface DocumentAccess {
  readonly record: Access
  readonly field: Access
  readonly edit: Access
}

async function evaluateRules(ctx: OperationContext, resource: Resource, named: NamedDocument): Promise<DocumentAccess> {
  const addressed = resource.kind === "global" ? {} : { id: canonicalId(resource, named.recordId) }
  const read = await authorize(ctx, resource, { operation: "read", ...addressed })
  // A document holds the newest value of its field, which is a draft until a transition publishes it.
  const drafts = await evaluateDrafts(ctx, resource)
  if (drafts.kind === "deny") throw denied(ctx.session, `read drafts of ${resource.name}`)
  await runBeforeRead(ctx, resource, { operation: "get", ...addressed })
  const field = nameableField(resource, named)
  if (field === undefined) return { record: bothAllow(read, drafts), field: DENY, edit: DENY }
  return {
    record: bothAllow(read, drafts),
    field: await evaluateFieldRule(ctx, { resource, field }, { operation: "read" }),
    edit: await evaluateEdit(ctx, { resource, field }, addressed),
  }
}

// Relations to many records are left out, because their names may be hidden with the related collection.
function nameableField(resource: Resource, { field: name }: NamedDocument): ResourceField | undefined {
  const field = name === undefined ? onlyCollaborativeField(resource) : resource.fields.get(name)
  return field && toManyOf(field) === undefined ? field : undefined
}

// Evaluates the rules of an update of the field. They get the field as input, without a value: the value that a document
// has after an edit is not known before the edits of others have been merged.
async function evaluateEdit(
  ctx: OperationContext,
  { resource, field }: { readonly resource: Resource; readonly field: ResourceField },
  addressed: Pick<CallFacts, "id">,
): Promise<Access> {
  if (field.collaborative === undefined || !isUpdatable(resource, field)) return DENY
  const facts: CallFacts = { operation: "update", ...addressed, input: { [field.name]: null } }
  const record = await evaluateAccess(ctx, resource, facts)
  return record.kind === "deny" ? DENY : bothAllow(record, await evaluateFieldRule(ctx, { resource, field }, facts))
}

// Returns the keys of the resources by whose records the rules restrict the rows. The resource itself is one of them only
// if the rules look at other records of it.
function resourcesIn({ schema }: OperationContext, resource: Resource, predicates: readonly Predicate[]): string[] {
  const selection = { resource, fields: [], relations: [] }
  const { tables, authorSql, isOwnTableReadOnce } = tablesOfRead({ selection, predicate: predicates.reduce(both) })
  const others = resourcesOf(schema, tables).filter((key) => !isOwnTableReadOnce || key !== resourceKey(resource))
  return [...others, ...resourcesMentioned(schema, authorSql)]
}

function hasRuleFunction(resource: Resource, field: ResourceField): boolean {
  const drafts = resource.workflow ? [ruleOf(resource, "drafts")] : []
  const rules = [
    ruleOf(resource, "read"),
    ruleOf(resource, "update"),
    field.access.read,
    field.access.update,
    ...drafts,
  ]
  return resource.hooks.beforeRead.length > 0 || rules.some((rule) => typeof rule === "function")
}

// True unless the row satisfies the same predicates before and after the change.
function mayAlter(resource: Resource, predicates: readonly Predicate[], change: CommittedChange): boolean {
  if (change.before === null || change.after === null) return true
  const [after = {}, before = {}] = rowsOfChange(resource, change) ?? []
  return predicates.some((predicate) => {
    const verdict = matchesInMemory(predicate, after)
    return verdict === "unknown" || verdict !== matchesInMemory(predicate, before)
  })
}
