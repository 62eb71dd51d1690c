import { GLOBAL_ROW_ID, type Resource } from "../schema/compile/resource.ts"
import { didYouMean } from "../wire/errors/did-you-mean.ts"
import type { AggregateOptions } from "../wire/options/aggregate-options.ts"
import type { FindOptions, RecordOptions } from "../wire/options/query-options.ts"
import { readByIdOf } from "../wire/options/read-by-id.ts"
import type { AggregateFor } from "../wire/results/aggregates.ts"
import type { CollectionMeta, CollectionSchema, GlobalMeta, GlobalSchema } from "../wire/results/introspection.ts"
import type {
  CollectionOperations,
  GlobalOperations,
  LocalApi,
  NamedRecord,
  PageFor,
  SearchOperations,
  VersionsFor,
  VersionsOf,
} from "../wire/results/operations.ts"
import { requireInitialStage } from "./access/stage.ts"
import { withinLifetime } from "./context/lifetime.ts"
import { inLocale, resourceIn } from "./context/locale.ts"
import type { OperationContext } from "./context/operation-context.ts"
import { readMembers } from "./context/read-members.ts"
import { checkOptions, NO_OPTIONS, type UncheckedOptions } from "./context/read-options.ts"
import { withExplainedErrors } from "./database/database-errors.ts"
import { readMeta, readSchema } from "./introspect/introspect.ts"
import { readGlobalAccess, readRecordAccess, readRecordsAccess } from "./introspect/record-access.ts"
import { aggregateRecords } from "./operations/reads/aggregate.ts"
import { countRecords, findRecords, lookUpRecord, readGlobal } from "./operations/reads/find.ts"
import { findByTitle } from "./operations/reads/find-by-title.ts"
import { findGlobalVersions, findVersions } from "./operations/reads/find-versions.ts"
import { listRecords } from "./operations/reads/list.ts"
import { search } from "./operations/reads/search.ts"
import { createRecord } from "./operations/writes/create.ts"
import { deleteRecord } from "./operations/writes/delete.ts"
import { deleteMany } from "./operations/writes/delete-many.ts"
import { readDryRun, writeOrDryRun } from "./operations/writes/dry-run.ts"
import { cancelPendingTransition, findPendingTransition } from "./operations/writes/pending-transition.ts"
import { purgeRecord } from "./operations/writes/purge.ts"
import { restoreRecord } from "./operations/writes/restore.ts"
import { REVERT_MEMBERS, revertGlobal, revertRecord } from "./operations/writes/revert.ts"
import { TRANSITION_MEMBERS, transitionRecord } from "./operations/writes/transition.ts"
import { updateRecord } from "./operations/writes/update.ts"
import { updateBatch } from "./operations/writes/update-batch.ts"
import { updateGlobal } from "./operations/writes/update-global.ts"
import { updateMany } from "./operations/writes/update-many.ts"
import { type AddressedRecord, parseExpectedRevision } from "./read/revision.ts"
import type { BulkInput } from "./write/bulk/bulk-input.ts"

/** Returns the app's operations for direct calls in this process (without HTTP), with the rights of `ctx`. */
export function createLocalApi(ctx: OperationContext): LocalApi {
  const { schema } = ctx
  return {
    collections: byName("collection", schema.collections, (resource) => collectionOperations(ctx, resource)),
    globals: byName("global", schema.globals, (resource) => globalOperations(ctx, resource)),
    search: searchOperations(ctx),
    transaction: (work) =>
      withExplainedErrors(schema, () =>
        withinLifetime(ctx, (inner) =>
          ctx.connection.transaction((connection) => work(createLocalApi({ ...inner, connection }))),
        ),
      ),
  }
}

// Returns an object with the operations of each resource, by resource name. A resource's operations are created on
// first use, because a request rarely uses more than a few of many collections.
function byName<Operations extends object>(
  kind: string,
  resources: ReadonlyMap<string, Resource>,
  make: (resource: Resource) => Operations,
): Readonly<Record<string, Operations>> {
  const made = new Map<string, Operations>()
  return new Proxy<Record<string, Operations>>(Object.create(null), {
    get(_target, name) {
      if (typeof name !== "string") return undefined
      const resource = resources.get(name)
      // `await` reads `then` from every object, and `JSON.stringify` reads `toJSON`. These two names must not throw.
      if (resource === undefined && (name === "then" || name === "toJSON")) return undefined
      if (resource === undefined) throw new Error(`There is no ${kind} "${name}".${didYouMean(name, resources.keys())}`)
      const operations = made.get(name) ?? make(resource)
      made.set(name, operations)
      return operations
    },
  })
}

function uncheckedOptions(options: object | undefined): UncheckedOptions {
  return options === undefined ? NO_OPTIONS : { options: definedOnly(options), isText: false }
}

// Returns the options without those whose value is undefined, which count as absent.
function definedOnly(options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

type Operation<Value> = (ctx: OperationContext, resource: Resource) => Promise<{ readonly value: Value }>

type Run = <Value>(options: UncheckedOptions, operation: Operation<Value>) => Promise<Value>

/** Returns a function that runs an operation on the resource, in the locale that the operation's options name. */
function runner(outer: OperationContext, own: Resource): Run {
  return async (options, operation) => {
    const inner = inLocale(outer, options.options)
    const resource = inner === outer ? own : resourceIn(inner, own)
    return (await withExplainedErrors(inner.schema, () => withinLifetime(inner, (ctx) => operation(ctx, resource))))
      .value
  }
}

function collectionOperations(outer: OperationContext, own: Resource): CollectionOperations {
  const run = runner(outer, own)
  const write = checkedRunner(run, "write")
  const change = checkedRunner(run, "change")
  const create = checkedRunner(run, "create")
  const update = checkedRunner(run, "update")
  const whole = wholeRunner(change)
  const wholeWrite = wholeRunner(write)
  return {
    // The cast is safe: as `PageFor` declares, the result is a page of groups with `groupBy`, and otherwise a page of
    // records.
    find: <Options extends FindOptions>(options?: Options) =>
      run(uncheckedOptions(options), (ctx, resource) =>
        listRecords(ctx, resource, uncheckedOptions(options)),
      ) as Promise<PageFor<Options>>,
    findOne: (options) => run(uncheckedOptions(options), (ctx, resource) => findOne(ctx, resource, options ?? {})),
    count: async (options) =>
      (await run(uncheckedOptions(options), (ctx, resource) => countRecords(ctx, resource, uncheckedOptions(options))))
        .count,
    // The cast is safe: as `AggregateFor` declares, the result has groups with `groupBy`, and otherwise values.
    aggregate: <Options extends AggregateOptions>(options: Options) =>
      run(uncheckedOptions(options), (ctx, resource) =>
        aggregateRecords(ctx, resource, uncheckedOptions(options)),
      ) as Promise<AggregateFor<Options>>,
    create: (data, options) =>
      create(options, (ctx, resource, given) =>
        createRecord(ctx, resource, { data, stage: given.options["stage"], given }),
      ),
    updateById: ({ id, data, ...target }, options) =>
      update(both(target, options), (ctx, resource, given) => {
        const expected = expectedIn(resource, target, options)
        return updateRecord(ctx, resource, { id, data, expected, stage: given.options["stage"], given })
      }),
    deleteById: onRecord(change, deleteRecord),
    restoreById: onRecord(whole, restoreRecord),
    purgeById: onRecord(whole, purgeRecord),
    findVersions: (target, options) => listVersions(run, target, options),
    revertToVersion: ({ id, ...target }, options) =>
      change(options, (ctx, resource, { options: { stage } }) => {
        const input = readMembers(target, [...REVERT_MEMBERS, "expectedRevision"])
        return revertRecord(ctx, resource, { id, expected: expectedIn(resource, target, options), input, stage })
      }),
    transitionStage: ({ id, ...target }, options) =>
      whole(options, (ctx, resource) => {
        const input = readMembers(target, [...TRANSITION_MEMBERS, "expectedRevision"])
        return transitionRecord(ctx, resource, { id, expected: expectedIn(resource, target, options), input })
      }),
    findTransition: ({ id, ...target }, options) =>
      wholeWrite(both(target, options), (ctx, resource) => findPendingTransition(ctx, resource, id)),
    cancelTransition: onRecord(whole, cancelPendingTransition),
    updateMany: (many, options) =>
      write(options, (ctx, resource) => updateMany(ctx, resource, bulkInput(definedOnly(many), options))),
    updateBatch: (batch, options) =>
      write(options, (ctx, resource) => updateBatch(ctx, resource, bulkInput(batch, options))),
    deleteMany: (many, options) =>
      write(options, (ctx, resource) => deleteMany(ctx, resource, bulkInput(definedOnly(many), options))),
    ...descriptions<CollectionMeta, CollectionSchema>(run),
    access: ({ id, ...options }) =>
      run(uncheckedOptions(options), (ctx, resource) =>
        readRecordAccess(ctx, resource, { id, given: uncheckedOptions(options) }),
      ),
    accessMany: ({ ids, ...options }) =>
      run(uncheckedOptions(options), (ctx, resource) =>
        readRecordsAccess(ctx, resource, { ids, given: uncheckedOptions(options) }),
      ),
  }
}

function listVersions<Target extends VersionsOf>(
  run: Run,
  { id, ...range }: Target,
  options?: RecordOptions,
): Promise<VersionsFor<Target>> {
  const given = uncheckedOptions({ ...range, ...options })
  // The cast is safe: as `VersionsFor` declares, the result is a page with a cursor, and otherwise a list.
  return run(given, (ctx, resource) => findVersions(ctx, resource, { id, given })) as Promise<VersionsFor<Target>>
}

type AnyMeta = CollectionMeta | GlobalMeta
type AnySchema = CollectionSchema | GlobalSchema

// Returns the operations that describe a resource. The casts are safe: a collection is described as a collection, and a
// global as a global.
function descriptions<Meta extends AnyMeta, Schema extends AnySchema>(run: Run) {
  return {
    meta: (options?: { readonly locale?: string | undefined }) =>
      run(uncheckedOptions(options), (ctx, resource) =>
        readMeta(ctx, resource, uncheckedOptions(options)),
      ) as Promise<Meta>,
    schema: (options?: { readonly locale?: string | undefined }) =>
      run(uncheckedOptions(options), (ctx, resource) =>
        readSchema(ctx, resource, uncheckedOptions(options)),
      ) as Promise<Schema>,
  }
}

interface WriteOptions {
  readonly stage?: unknown
}

function bulkInput(body: object, options: WriteOptions | undefined): BulkInput {
  return { body, stage: options?.stage }
}

type WriteOperation<Value> = (
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
) => Promise<{ readonly value: Value }>

type RunWrite = <Value>(options: WriteOptions | undefined, operation: WriteOperation<Value>) => Promise<Value>

type WriteKind = "create" | "update" | "change" | "write"

/** Returns a function that checks the options of a write, and then runs it or makes a dry run. */
function checkedRunner(run: Run, kind: WriteKind): RunWrite {
  return (options, operation) => {
    const given = uncheckedOptions(options)
    return run(given, (ctx, resource) => {
      checkOptions(ctx, kind, given)
      return writeOrDryRun(ctx, readDryRun(given), (inner) => operation(inner, resource, given))
    })
  }
}

/** Like `checkedRunner`, for writes that always apply to a record in all its stages. */
function wholeRunner(change: RunWrite): RunWrite {
  return (options, operation) =>
    change(options, (ctx, resource, given) => {
      requireInitialStage(resource, given.options["stage"])
      return operation(ctx, resource, given)
    })
}

// Returns the revision that one or both arguments of an operation name. The types of some operations allow it in one of
// them only, but a caller without types may use the other one.
function expectedIn(resource: Resource, target: object = {}, options: object = {}) {
  const name = "expectedRevision"
  return parseExpectedRevision(resource, Reflect.get(target, name), Reflect.get(options, name))
}

// Returns the options in both arguments of an operation: in the one that names the record, and in the last one. They are
// checked together, so that a misspelt member of either is refused.
function both(target: object, options: object | undefined): WriteOptions {
  return { ...definedOnly(target), ...definedOnly(options ?? {}) }
}

type RecordOperation<Value> = (
  ctx: OperationContext,
  resource: Resource,
  target: AddressedRecord & WriteOptions,
) => Promise<{ readonly value: Value }>

/** Returns an operation on one record that takes nothing but its id and options. */
function onRecord<Value>(run: RunWrite, operation: RecordOperation<Value>) {
  return ({ id, ...target }: NamedRecord, options?: object): Promise<Value> =>
    run(both(target, options), (ctx, resource, { options: { stage } }) =>
      operation(ctx, resource, { id, expected: expectedIn(resource, target, options), stage }),
    )
}

function globalOperations(outer: OperationContext, own: Resource): GlobalOperations {
  const run = runner(outer, own)
  const change = checkedRunner(run, "change")
  const update = checkedRunner(run, "update")
  const whole = wholeRunner(change)
  const wholeWrite = wholeRunner(checkedRunner(run, "write"))
  return {
    // The cast is safe: as `VersionsFor` declares, the result is a page with a cursor, and otherwise a list.
    findVersions: <Options extends Partial<VersionsOf>>(options?: Options) =>
      run(uncheckedOptions(options), (ctx, resource) =>
        findGlobalVersions(ctx, resource, uncheckedOptions(options)),
      ) as Promise<VersionsFor<Options>>,
    revertToVersion: (target, options) =>
      change(options, (ctx, resource, { options: { stage } }) => {
        const input = readMembers(target, [...REVERT_MEMBERS, "id", "expectedRevision"])
        return revertGlobal(ctx, resource, { input, expected: expectedIn(resource, target, options), stage })
      }),
    transitionStage: (target, options) =>
      whole(options, (ctx, resource) => {
        const input = readMembers(target, [...TRANSITION_MEMBERS, "expectedRevision"])
        const expected = expectedIn(resource, target, options)
        return transitionRecord(ctx, resource, { id: GLOBAL_ROW_ID, expected, input })
      }),
    findTransition: (options) =>
      wholeWrite(options, (ctx, resource) => findPendingTransition(ctx, resource, GLOBAL_ROW_ID)),
    ...descriptions<GlobalMeta, GlobalSchema>(run),
    access: (options) =>
      run(uncheckedOptions(options), (ctx, resource) => readGlobalAccess(ctx, resource, uncheckedOptions(options))),
    cancelTransition: (options) =>
      whole(options, (ctx, resource) =>
        cancelPendingTransition(ctx, resource, { id: GLOBAL_ROW_ID, expected: expectedIn(resource, options) }),
      ),
    get: (options) =>
      run(uncheckedOptions(options), (ctx, resource) => readGlobal(ctx, resource, uncheckedOptions(options))),
    update: (data, options) =>
      update(options, (ctx, resource, given) => {
        const expected = expectedIn(resource, options)
        return updateGlobal(ctx, resource, { data, expected, stage: given.options["stage"], given })
      }),
  }
}

function searchOperations(outer: OperationContext): SearchOperations {
  return {
    search: async (options) =>
      (await withExplainedErrors(outer.schema, () => withinLifetime(outer, (ctx) => search(ctx, definedOnly(options)))))
        .value,
    findByTitle: async (options) =>
      (
        await withExplainedErrors(outer.schema, () =>
          withinLifetime(outer, (ctx) => findByTitle(ctx, definedOnly(options))),
        )
      ).value,
  }
}

async function findOne(ctx: OperationContext, resource: Resource, options: FindOptions) {
  const byId = readByIdOf(options)
  if (byId) {
    const found = await lookUpRecord(ctx, resource, { id: byId.id, given: uncheckedOptions(byId.options) })
    return found ?? { value: null }
  }
  const page = await findRecords(ctx, resource, uncheckedOptions({ ...options, limit: 1, total: false }))
  return { value: page.value.docs[0] ?? null }
}
