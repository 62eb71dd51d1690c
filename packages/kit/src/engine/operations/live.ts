import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { NotedChange } from "../../sql/changes/read-changes.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { selectMatching, selectPageWithTotal } from "../../sql/read/select.ts"
import { onlyShownResources } from "../access/only-shown.ts"
import { overheard } from "../access/overheard.ts"
import { matchesInMemory } from "../access/predicate.ts"
import { inLocale, resourceIn } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { GivenOptions } from "../context/read-options.ts"
import { resourceKey, tablesMentioned, tablesRead, tablesReadByAuthor } from "../live/named-tables.ts"
import type { Answer, JsonAnswer } from "../read/answer.ts"
import { answerKey } from "../read/answer-key.ts"
import { hasReadHooks } from "../read/read-hooks.ts"
import { rowsOfChange } from "../write/change-row.ts"
import { planPage } from "./find.ts"
import { readPageAsJson } from "./find-as-json.ts"
import { planGlobal, readPlannedGlobal } from "./global.ts"

/** A read that can be run again and again, under the rights that it was planned with. */
export interface LiveRead {
  /** Equal only for reads that answer the same, whoever asks. */
  readonly key: string
  /** The keys of the resources whose changes may change the answer. Hooks may ask for others when it is run. */
  readonly reads: ReadonlySet<string>
  /** The keys of those that were asked when the rights were judged: their changes may change the rights. */
  readonly judgedBy: ReadonlySet<string>
  /** Whether code of the author's had a say in the rights: it may decide otherwise the next time. */
  readonly isJudged: boolean
  /** Whether changes of a resource that is read can touch the answer, the newest of which is `shown`, if it is known. */
  isTouchedBy(changes: readonly NotedChange[], shown: ShownAnswer | undefined): boolean
  /** Tells of each resource that is read besides, before it is read. */
  run(ctx: OperationContext, onRead: (resource: string) => void): Promise<JsonAnswer | Answer<unknown>>
}

/** An answer as JSON, in which a text can be looked for. */
export interface ShownAnswer {
  readonly length: number
  includes(text: string): boolean
}

/** Plans what `find` or, of a global, `get` answers to the caller. Rights are judged now. */
export async function planLiveRead(
  outer: OperationContext,
  { kind, name }: Pick<Resource, "kind" | "name">,
  given: GivenOptions,
): Promise<LiveRead> {
  const located = inLocale(outer, given.options)
  const texts: string[] = []
  // Whatever runs while a read is planned is asked by a rule or a hook.
  const ctx = { ...located, connection: overheard(located.connection, (text) => texts.push(text)) }
  const resource = resourceIn(ctx, { kind, name })
  const planned = kind === "global" ? await globalRead(ctx, resource, given) : await listRead(ctx, resource, given)
  const { selection, statement, run } = planned
  const hasHooks = hasReadHooks(selection)
  const key = answerKey({ statement, selection, locale: ctx.locale, ...(hasHooks && { shownTo: ctx.session }) })
  const reads = new Set(tablesRead(ctx.schema, statement.text))
  const byAuthor = new Set(tablesReadByAuthor(ctx.schema, statement.text))
  // What a hook makes of a record need not have its id.
  const onlyShown = hasHooks ? NOTHING : onlyShownResources(selection, statement.text)
  return {
    key,
    reads,
    isJudged: ctx.schema.resources.some((other) => reads.has(resourceKey(other)) && hasJudges(other)),
    judgedBy: tablesMentioned(ctx.schema, texts),
    isTouchedBy: (changes, shown) => {
      const searched = shown && shown.length * changes.length <= MAX_SEARCHED ? shown : undefined
      return changes.some(
        (change) =>
          byAuthor.has(keyOfChange(change)) ||
          !(isRuledOut(planned, change) || isElsewhere(onlyShown, change, searched)),
      )
    },
    run: (later, onRead) => {
      const note = (key: string) => {
        byAuthor.add(key)
        reads.add(key)
        onRead(key)
      }
      let hasRead = false
      // Every other statement is that of a hook, also one with the same text: its values may be others.
      const hear = (text: string) => {
        const isOwn = text === statement.text && !hasRead
        hasRead ||= isOwn
        if (!isOwn) tablesMentioned(ctx.schema, [text]).forEach(note)
      }
      const connection = hasHooks ? overheard(later.connection, hear) : later.connection
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
  /** Whether its table is read for its own records alone, and not for a filter or a relation too. */
  readonly isOnlyRead: boolean
  run(ctx: OperationContext): ReturnType<LiveRead["run"]>
}

async function listRead(ctx: OperationContext, resource: Resource, given: GivenOptions): Promise<RunnableRead> {
  const read = await planPage(ctx, resource, given)
  const planned = { ...read, statement: selectPageWithTotal(read) }
  return { ...planned, isOnlyRead: isReadOnce(planned), run: (later) => readPageAsJson(later, read) }
}

async function globalRead(ctx: OperationContext, resource: Resource, given: GivenOptions): Promise<RunnableRead> {
  const read = await planGlobal(ctx, resource, given)
  const planned = { ...read, statement: selectMatching(read.selection, read.predicate) }
  return { ...planned, isOnlyRead: isReadOnce(planned), run: (later) => readPlannedGlobal(later, read) }
}

// A field that is hidden now may be shown tomorrow.
function hasJudges({ access, fields, hooks }: Resource): boolean {
  const rules = [...Object.values(access), ...[...fields.values()].map((field) => field.access.read)]
  return hooks.beforeRead.length > 0 || rules.some((rule) => typeof rule === "function")
}

// To look for the changed records in a long answer may cost more than to read it again: a megabyte takes half a millisecond.
const MAX_SEARCHED = 8 * 1024 * 1024

// A page names its table twice: for its records and for their total.
const TIMES_NAMED = { collection: 2, global: 1 } as const

function isReadOnce({ selection: { resource }, statement }: Pick<PlannedRead, "selection" | "statement">): boolean {
  return statement.text.split(`"${resource.table}" `).length - 1 === TIMES_NAMED[resource.kind]
}

// A record that the filter and the rule pass over before and after its change is neither on a page nor counted.
function isRuledOut({ selection: { resource }, predicate, isOnlyRead }: RunnableRead, change: NotedChange): boolean {
  const isAbout = keyOfChange(change) === resourceKey(resource)
  // What a stage shows changes by moves, and its copies are not what the change tells of.
  if (!isAbout || resource.working !== undefined) return false
  const rows = isOnlyRead ? rowsOfChange(resource, change) : undefined
  return rows?.every((row) => matchesInMemory(predicate, row) === "no") ?? false
}

const NOTHING: ReadonlySet<string> = new Set()

// A record that others point to is part of the answer with its id, or not at all. Of one that was written past the engine
// nobody knows whether it was there before.
function isElsewhere(onlyShown: ReadonlySet<string>, change: NotedChange, shown: ShownAnswer | undefined): boolean {
  const isKnown = change.kind === "update" && change.before !== null
  if (shown === undefined || !isKnown || !onlyShown.has(keyOfChange(change))) return false
  return !shown.includes(JSON.stringify(change.record))
}

/** The key of the resource that a change is about. */
export function keyOfChange({ resourceKind, resource }: NotedChange): string {
  return `${resourceKind} ${resource}`
}
