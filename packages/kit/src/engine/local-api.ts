import type { Resource } from "../schema/resource.ts"
import { didYouMean } from "../wire/did-you-mean.ts"
import type { CollectionOperations, GlobalOperations, LocalApi, PageFor } from "../wire/operations.ts"
import type { FindOptions } from "../wire/query-options.ts"
import { readByIdOf } from "../wire/read-by-id.ts"
import { perform } from "./database-errors.ts"
import { withinLifetime } from "./lifetime.ts"
import type { OperationContext } from "./operation-context.ts"
import { createRecord } from "./operations/create.ts"
import { deleteRecord } from "./operations/delete.ts"
import { deleteMany } from "./operations/delete-many.ts"
import { purgeRecord, restoreRecord } from "./operations/deleted.ts"
import { countRecords, findRecords, lookUpRecord } from "./operations/find.ts"
import { readGlobal, updateGlobal } from "./operations/global.ts"
import { listRecords } from "./operations/list.ts"
import { updateRecord } from "./operations/update.ts"
import { updateBatch } from "./operations/update-batch.ts"
import { updateMany } from "./operations/update-many.ts"
import { type GivenOptions, NO_OPTIONS } from "./read-options.ts"
import { readExpectedRevision } from "./revision.ts"

/** The operations of an app in this process, under the rights of one context. */
export function createLocalApi(ctx: OperationContext): LocalApi {
  const { schema } = ctx
  return {
    collections: byName("collection", schema.collections, (resource) => collectionOperations(ctx, resource)),
    globals: byName("global", schema.globals, (resource) => globalOperations(ctx, resource)),
    transaction: (work) =>
      perform(schema, () =>
        withinLifetime(ctx, (inner) =>
          ctx.connection.transaction((connection) => work(createLocalApi({ ...inner, connection }))),
        ),
      ),
  }
}

// Made when first used: a request rarely touches more than a few of many collections.
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
      if (resource === undefined) throw new Error(`There is no ${kind} "${name}".${didYouMean(name, resources.keys())}`)
      const operations = made.get(name) ?? make(resource)
      made.set(name, operations)
      return operations
    },
  })
}

function given(options: object | undefined): GivenOptions {
  return options === undefined ? NO_OPTIONS : { options: definedOnly(options), isText: false }
}

// An option that is undefined is an option that is not given.
function definedOnly(options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

type Operation<Value> = (ctx: OperationContext) => Promise<{ readonly value: Value }>

function runner(outer: OperationContext) {
  return async <Value>(operation: Operation<Value>): Promise<Value> =>
    (await perform(outer.schema, () => withinLifetime(outer, operation))).value
}

function collectionOperations(outer: OperationContext, resource: Resource): CollectionOperations {
  const run = runner(outer)
  return {
    // With groupBy the answer is one of groups, which is what the type says.
    find: <Options extends FindOptions>(options?: Options) =>
      run((ctx) => listRecords(ctx, resource, given(options))) as Promise<PageFor<Options>>,
    findOne: (options) => run((ctx) => findOne(ctx, resource, options ?? {})),
    count: async (options) => (await run((ctx) => countRecords(ctx, resource, given(options)))).count,
    create: (data) => run((ctx) => createRecord(ctx, resource, data)),
    updateById: (change) =>
      run((ctx) => updateRecord(ctx, resource, { ...change, expected: expectedIn(resource, change) })),
    deleteById: (target) =>
      run((ctx) => deleteRecord(ctx, resource, { ...target, expected: expectedIn(resource, target) })),
    restoreById: (target) =>
      run((ctx) => restoreRecord(ctx, resource, { id: target.id, expected: expectedIn(resource, target) })),
    purgeById: (target) =>
      run((ctx) => purgeRecord(ctx, resource, { id: target.id, expected: expectedIn(resource, target) })),
    updateMany: (change) => run((ctx) => updateMany(ctx, resource, definedOnly(change))),
    updateBatch: (batch) => run((ctx) => updateBatch(ctx, resource, batch)),
    deleteMany: (target) => run((ctx) => deleteMany(ctx, resource, definedOnly(target))),
  }
}

function expectedIn(resource: Resource, given: { readonly expectedRevision?: unknown } | undefined) {
  return readExpectedRevision(resource, given?.expectedRevision)
}

function globalOperations(outer: OperationContext, resource: Resource): GlobalOperations {
  const run = runner(outer)
  return {
    get: (options) => run((ctx) => readGlobal(ctx, resource, given(options))),
    update: (data, options) =>
      run((ctx) => updateGlobal(ctx, resource, { data, expected: expectedIn(resource, options) })),
  }
}

async function findOne(ctx: OperationContext, resource: Resource, options: FindOptions) {
  const byId = readByIdOf(options)
  if (byId) {
    const found = await lookUpRecord(ctx, resource, { id: byId.id, given: given(byId.options) })
    return found ?? { value: null }
  }
  const page = await findRecords(ctx, resource, given({ ...options, limit: 1, total: false }))
  return { value: page.value.docs[0] ?? null }
}
