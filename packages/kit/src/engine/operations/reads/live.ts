import type { AppSchema, Resource } from "../../../schema/compile/resource.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import { matchesInMemory } from "../../access/predicate.ts"
import { inLocale, resourceIn } from "../../context/locale.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { rowsOfChange } from "../../live/change-row.ts"
import { observeReads } from "../../live/observe-reads.ts"
import { resourceKey, resourcesMentioned, resourcesOf } from "../../live/resources-read.ts"
import type { Answer, JsonAnswer } from "../../read/answer.ts"
import { answerKey } from "../../read/answer-key.ts"
import { type PlannedRead, planRequestedRead, type ReadRequest } from "./planned-read.ts"

/** A planned read that can run many times, always with the rights that the caller had when the read was planned. */
export interface LiveRead {
  /** Identifies the result: two reads with the same key have the same result, even if their callers differ. */
  readonly key: string
  /** The keys of the resources whose changes may alter the result. Hooks may add keys while the read runs. */
  readonly reads: ReadonlySet<string>
  /**
   * The keys of the resources that rules and hooks queried during planning. Changes of these resources may alter the
   * caller's rights.
   */
  readonly ruleDependencies: ReadonlySet<string>
  /**
   * True if a function of the author decides about the caller's rights. Such a function may decide differently the next
   * time.
   */
  readonly hasRuleFunction: boolean
  /**
   * True if `changes` may alter the result. Each of them must be a change of a resource in `reads`. `shown` is the
   * newest result, if known.
   */
  isAffectedBy(changes: readonly CommittedChange[], shown: SearchableResult | undefined): boolean
  /** Runs the read. Before a hook queries another resource, `onRead` is called with the key of that resource. */
  run(ctx: OperationContext, onRead: (resource: string) => void): Promise<JsonAnswer | Answer<unknown>>
}

/** The result of a read as JSON text that can be searched. */
interface SearchableResult {
  readonly length: number
  includes(text: string): boolean
}

/** Plans a read that can run many times. The access rules are evaluated now, and not when the read runs. */
export async function planLiveRead(
  outer: OperationContext,
  { kind, name }: Pick<Resource, "kind" | "name">,
  request: ReadRequest,
): Promise<LiveRead> {
  const located = inLocale(outer, request.given.options)
  const { schema, locale, session } = located
  const ruleDependencies = new Set<string>()
  // Planning itself runs no statements, so every statement that is observed here comes from a rule or a hook.
  const connection = observeReads(located.connection, schema, (resource) => ruleDependencies.add(resource))
  const ctx = { ...located, connection }
  const resource = resourceIn(ctx, { kind, name })
  const planned = await planRequestedRead(ctx, resource, request)
  const { selection, statement, shape, hasHooks } = planned
  const sources = sourcesOf(schema, planned)
  return {
    key: answerKey({ statement, selection, shape, locale, ...(hasHooks && { hookSession: session }) }),
    reads: sources.reads,
    hasRuleFunction: schema.resources.some((other) => sources.reads.has(resourceKey(other)) && hasRuleFunctions(other)),
    ruleDependencies,
    isAffectedBy: (changes, shown) => {
      const searched = shown && shown.length * changes.length <= MAX_SEARCHED ? shown : undefined
      return changes.some((change) => mayAlter({ planned, sources, shown: searched }, change))
    },
    run: (later, onRead) => {
      const own = { ...later, locale, schema }
      if (!hasHooks) return planned.run(own, own)
      const hookConnection = observeReads(own.connection, schema, (key) => {
        sources.readByAuthor.add(key)
        sources.reads.add(key)
        onRead(key)
      })
      return planned.run(own, { ...own, connection: hookConnection })
    },
  }
}

/** The keys of the resources that a read depends on. */
interface ReadSources {
  /** The resources whose changes may alter the result. Hooks may add keys while the read runs. */
  readonly reads: Set<string>
  /** The resources that SQL or hooks of the author read. Every change of them may alter the result. */
  readonly readByAuthor: Set<string>
  /** The resources whose records are only hydrated. A change of such a record matters only if its id is in the result. */
  readonly onlyHydrated: ReadonlySet<string>
}

function sourcesOf(schema: AppSchema, { tables, hasHooks }: PlannedRead): ReadSources {
  const readByAuthor = new Set(resourcesMentioned(schema, tables.authorSql))
  return {
    reads: new Set([...resourcesOf(schema, tables.tables), ...readByAuthor]),
    readByAuthor,
    // A read hook may remove the id from a record. So with hooks, a record may be in the result even if its id is not.
    onlyHydrated: new Set(hasHooks ? [] : resourcesOf(schema, tables.onlyHydrated)),
  }
}

// True if a function of the author decides about reads of the resource. Functions in field rules count, because a field
// that is hidden now may be visible the next time.
function hasRuleFunctions({ access, fields, hooks }: Resource): boolean {
  const rules = [...Object.values(access), ...[...fields.values()].map((field) => field.access.read)]
  return hooks.beforeRead.length > 0 || rules.some((rule) => typeof rule === "function")
}

// The limit for searching a result for changed ids: the length of the result times the number of changes. Beyond it,
// the search may cost more than running the read again. Searching a megabyte takes 0.5 ms.
const MAX_SEARCHED = 8 * 1024 * 1024

interface AnsweredRead {
  readonly planned: PlannedRead
  readonly sources: ReadSources
  readonly shown: SearchableResult | undefined
}

// True if the change may alter the result of the read.
function mayAlter({ planned, sources, shown }: AnsweredRead, change: CommittedChange): boolean {
  if (sources.readByAuthor.has(keyOfChange(change))) return true
  return !(isExcluded(planned, change) || isNotInResult(sources.onlyHydrated, change, shown))
}

// True if the filter and the rules exclude the changed record both before and after the change, so that the record is
// neither on the page nor counted in the total. A count also stays the same if they include the record both times.
function isExcluded(
  { selection: { resource }, predicate, tables, isCount }: PlannedRead,
  change: CommittedChange,
): boolean {
  const isAbout = keyOfChange(change) === resourceKey(resource)
  // A change describes the working copy of a record. It cannot exclude a record from a read of a stage, because the
  // copies in a stage change by transitions.
  if (!isAbout || resource.working !== undefined) return false
  const rows = tables.isOwnTableReadOnce ? rowsOfChange(resource, change) : undefined
  if (rows === undefined) return false
  const verdicts = rows.map((row) => matchesInMemory(predicate, row))
  if (isCount && verdicts.length === 2 && verdicts.every((verdict) => verdict === "yes")) return true
  return verdicts.every((verdict) => verdict === "no")
}

// True if the result cannot contain the changed record, because the read only hydrates such records and the result does
// not contain the record's id. If the change has no old row, as after a write outside the engine, the record may be
// new, and this returns false.
function isNotInResult(
  onlyHydrated: ReadonlySet<string>,
  change: CommittedChange,
  shown: SearchableResult | undefined,
): boolean {
  const isKnown = change.kind === "update" && change.before !== null
  if (shown === undefined || !isKnown || !onlyHydrated.has(keyOfChange(change))) return false
  return !shown.includes(JSON.stringify(change.record))
}

/** Returns the key of the resource that the change is about. */
export function keyOfChange({ resourceKind, resource }: CommittedChange): string {
  return `${resourceKind} ${resource}`
}
