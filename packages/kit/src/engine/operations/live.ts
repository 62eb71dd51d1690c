import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { CommittedChange } from "../../sql/changes/read-changes.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { selectMatching, selectPageWithTotal } from "../../sql/read/select.ts"
import { hydrateOnlyResources } from "../access/hydrate-only.ts"
import { observeStatements } from "../access/observe-statements.ts"
import { matchesInMemory } from "../access/predicate.ts"
import { inLocale, resourceIn } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { resourceKey, tablesMentioned, tablesRead, tablesReadByAuthor } from "../live/named-tables.ts"
import type { Answer, JsonAnswer } from "../read/answer.ts"
import { answerKey } from "../read/answer-key.ts"
import { planGlobal, planPage } from "../read/plan-read.ts"
import { hasReadHooks } from "../read/read-hooks.ts"
import { rowsOfChange } from "../write/change-row.ts"
import { readPlannedGlobal } from "./find.ts"
import { readPageAsJson } from "./find-as-json.ts"

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

/**
 * Plans a `find` on a collection or a `get` on a global. The access rules are evaluated now, and not when the read
 * runs.
 */
export async function planLiveRead(
  outer: OperationContext,
  { kind, name }: Pick<Resource, "kind" | "name">,
  given: UncheckedOptions,
): Promise<LiveRead> {
  const located = inLocale(outer, given.options)
  const texts: string[] = []
  // Planning itself runs no statements, so every statement that is observed here comes from a rule or a hook.
  const ctx = { ...located, connection: observeStatements(located.connection, (text) => texts.push(text)) }
  const resource = resourceIn(ctx, { kind, name })
  const planned = kind === "global" ? await globalRead(ctx, resource, given) : await listRead(ctx, resource, given)
  const { selection, statement, run } = planned
  const hasHooks = hasReadHooks(selection)
  const key = answerKey({ statement, selection, locale: ctx.locale, ...(hasHooks && { hookSession: ctx.session }) })
  const reads = new Set(tablesRead(ctx.schema, statement.text))
  const byAuthor = new Set(tablesReadByAuthor(ctx.schema, statement.text))
  // A read hook may remove the id from a record. So with hooks, a record may be in the result even if its id is not.
  const onlyShown = hasHooks ? NOTHING : hydrateOnlyResources(selection, statement.text)
  return {
    key,
    reads,
    hasRuleFunction: ctx.schema.resources.some((other) => reads.has(resourceKey(other)) && hasRuleFunctions(other)),
    ruleDependencies: tablesMentioned(ctx.schema, texts),
    isAffectedBy: (changes, shown) => {
      const searched = shown && shown.length * changes.length <= MAX_SEARCHED ? shown : undefined
      return changes.some(
        (change) =>
          byAuthor.has(keyOfChange(change)) ||
          !(isExcluded(planned, change) || isNotInResult(onlyShown, change, searched)),
      )
    },
    run: (later, onRead) => {
      const addDependency = (key: string) => {
        byAuthor.add(key)
        reads.add(key)
        onRead(key)
      }
      let hasRead = false
      // The first statement with the SQL text of this read is the read itself. All other statements come from hooks,
      // including later ones with the same text, which may have other values.
      const onStatement = (text: string) => {
        const isOwn = text === statement.text && !hasRead
        hasRead ||= isOwn
        if (!isOwn) tablesMentioned(ctx.schema, [text]).forEach(addDependency)
      }
      const connection = hasHooks ? observeStatements(later.connection, onStatement) : later.connection
      return run({ ...later, connection, locale: ctx.locale, schema: ctx.schema })
    },
  }
}

interface PlannedRead {
  readonly selection: Selection
  readonly predicate: Predicate
  readonly statement: Statement
}

interface RunnableRead extends PlannedRead {
  /**
   * True if the SQL statement reads the resource's table only for the records in the result, and not also for a filter
   * or a relation.
   */
  readonly isTableReadOnce: boolean
  run(ctx: OperationContext): ReturnType<LiveRead["run"]>
}

async function listRead(ctx: OperationContext, resource: Resource, given: UncheckedOptions): Promise<RunnableRead> {
  const read = await planPage(ctx, resource, given)
  const planned = { ...read, statement: selectPageWithTotal(read) }
  return { ...planned, isTableReadOnce: isReadOnce(planned), run: (later) => readPageAsJson(later, read) }
}

async function globalRead(ctx: OperationContext, resource: Resource, given: UncheckedOptions): Promise<RunnableRead> {
  const read = await planGlobal(ctx, resource, given)
  const planned = { ...read, statement: selectMatching(read.selection, read.predicate) }
  return { ...planned, isTableReadOnce: isReadOnce(planned), run: (later) => readPlannedGlobal(later, read) }
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

// The number of times that the SQL statement of a read names the resource's table, if no filter or relation names it
// too. For a page of a collection it is 2: once for the records and once for the total.
const TIMES_NAMED = { collection: 2, global: 1 } as const

function isReadOnce({ selection: { resource }, statement }: Pick<PlannedRead, "selection" | "statement">): boolean {
  return statement.text.split(`"${resource.table}" `).length - 1 === TIMES_NAMED[resource.kind]
}

// True if the filter and the rules exclude the changed record both before and after the change, so that the record is
// neither on the page nor counted in the total.
function isExcluded(
  { selection: { resource }, predicate, isTableReadOnce }: RunnableRead,
  change: CommittedChange,
): boolean {
  const isAbout = keyOfChange(change) === resourceKey(resource)
  // A change describes the working copy of a record. It cannot exclude a record from a read of a stage, because the
  // copies in a stage change by transitions.
  if (!isAbout || resource.working !== undefined) return false
  const rows = isTableReadOnce ? rowsOfChange(resource, change) : undefined
  return rows?.every((row) => matchesInMemory(predicate, row) === "no") ?? false
}

const NOTHING: ReadonlySet<string> = new Set()

// True if the result cannot contain the changed record, because the read only hydrates such records and the result does
// not contain the record's id. If the change has no old row, as after a write outside the engine, the record may be
// new, and this returns false.
function isNotInResult(
  onlyShown: ReadonlySet<string>,
  change: CommittedChange,
  shown: SearchableResult | undefined,
): boolean {
  const isKnown = change.kind === "update" && change.before !== null
  if (shown === undefined || !isKnown || !onlyShown.has(keyOfChange(change))) return false
  return !shown.includes(JSON.stringify(change.record))
}

/** Returns the key of the resource that the change is about. */
export function keyOfChange({ resourceKind, resource }: CommittedChange): string {
  return `${resourceKind} ${resource}`
}
