import { OPERATION, type OperationFacts } from "../../client/operation-facts.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import type { FindResult, IdleRead } from "../reads/find-result.ts"
import type { ReadSettingsOf } from "../reads/read-settings.ts"
import type { ReadKind } from "../reads/use-entry.ts"
import { useRead as useReadOnce } from "../reads/use-find.ts"
import { RouteEntry, routeQuery } from "../routes/route-entry.ts"

/** An operation of the client, such as `client.collections.articles.schema`. */
type Operation<Input, Data> = (input: Input, call?: CallOptions) => Promise<Data>

/** An operation with two results, such as `findVersions`: a page if its input has a cursor, and otherwise a list. */
interface PagedOperation<Input, Data, PageInput, Page> {
  <_Options = never>(input: PageInput, call?: CallOptions): Promise<Page>
  <_Options = never>(input: Input, call?: CallOptions): Promise<Data>
}

/** The input and the settings of a read. The input can be omitted if the operation can be called without it. */
type ReadArguments<Input, Settings> = undefined extends Input
  ? [input?: NoInfer<Input>, settings?: Settings]
  : [input: NoInfer<Input>, settings?: Settings]

const OPERATIONS: ReadKind = { name: "operation", queryOf: routeQuery, make: (...given) => new RouteEntry(...given) }

/**
 * Reads with an operation of the client that is not `find`: `aggregate`, `schema`, `meta`, `access`, `accessMany`, `findVersions`,
 * `findTransition`, `findEvents` of a channel, `search`, or `findByTitle`. Components that read with equal input share the result. Input that is null reads nothing.
 *
 * const rights = useRead(client.collections.articles.access, { id })
 */
export function useRead<Input, Data, Selected = Data>(
  // Without a type parameter, the input of an operation that has some would be unknown.
  operation: <_Options = never>(input: Input, call?: CallOptions) => Promise<Data>,
  ...given: ReadArguments<Input, ReadSettingsOf<Data, Selected>>
): FindResult<Selected>
export function useRead<Input, Data, Selected = Data>(
  operation: <_Options = never>(input: Input, call?: CallOptions) => Promise<Data>,
  input: NoInfer<Input> | null,
  settings?: ReadSettingsOf<Data, Selected>,
): FindResult<Selected> | IdleRead
// An operation that returns a page if its input has a cursor has two last signatures: that of the page is the first one.
export function useRead<Input, Data, PageInput, Page, Selected = Page>(
  operation: PagedOperation<Input, Data, PageInput, Page>,
  input: NoInfer<PageInput>,
  settings?: ReadSettingsOf<Page, Selected>,
): FindResult<Selected>
export function useRead<Input, Data, PageInput, Page, Selected = Page>(
  operation: PagedOperation<Input, Data, PageInput, Page>,
  input: NoInfer<PageInput> | null,
  settings?: ReadSettingsOf<Page, Selected>,
): FindResult<Selected> | IdleRead
export function useRead<Data, Selected>(
  operation: Operation<never, Data>,
  input?: unknown,
  settings?: ReadSettingsOf<Data, Selected>,
): FindResult<Selected> | IdleRead {
  const { parts, name } = readFactsOf(operation)
  // No optimistic change concerns the result: no record has the name of an operation.
  const facts = { kind: "record", resource: name, parts } as const
  const options = input === null ? null : { route: OPTIONS_ONLY.test(name) ? inOptions(operation) : operation, input }
  // The cast is safe: the operation returns data of this type, and `select` returns what is selected.
  return useReadOnce({ kind: OPERATIONS, facts, options }, settings) as FindResult<Selected> | IdleRead
}

const READS =
  /^(client app (schema|search|findByTitle)|.* (aggregate|schema|meta|access|accessMany|findVersions|findTransition|findEvents))$/

function readFactsOf(operation: unknown): OperationFacts {
  // The cast is safe: only the client makes functions with this member.
  const facts = typeof operation === "function" ? (operation as { [OPERATION]?: OperationFacts })[OPERATION] : undefined
  if (facts && READS.test(facts.name)) return facts
  throw new TypeError(
    "useRead takes aggregate, schema, meta, access, accessMany, findVersions, findTransition, findEvents, search or findByTitle of the client. " +
      "Read records by useFind, a route by useRoute, and write by useMutation.",
  )
}

// The operation takes all of its options in one argument.
const OPTIONS_ONLY = /^global .* findTransition$/

function inOptions<Data>(operation: Operation<never, Data>): Operation<object | undefined, Data> {
  // The cast is safe: the options of the call are options of the operation, too.
  return (input, call) => operation({ ...input, ...call } as never)
}
