import type { Resource } from "../schema/resource.ts"
import { didYouMean } from "../wire/did-you-mean.ts"
import type { CollectionOperations, GlobalOperations, LocalApi, PageFor } from "../wire/operations.ts"
import type { FindOptions } from "../wire/query-options.ts"
import { readByIdOf } from "../wire/read-by-id.ts"
import { perform } from "./database-errors.ts"
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
      perform(schema, () => ctx.connection.transaction((connection) => work(createLocalApi({ ...ctx, connection })))),
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

function collectionOperations(ctx: OperationContext, resource: Resource): CollectionOperations {
  const run = <Value>(operation: () => Promise<{ value: Value }>) =>
    perform(ctx.schema, operation).then((answer) => answer.value)
  return {
    // With groupBy the answer is one of groups, which is what the type says.
    find: <Options extends FindOptions>(options?: Options) =>
      run(() => listRecords(ctx, resource, given(options))) as Promise<PageFor<Options>>,
    findOne: (options) => run(() => findOne(ctx, resource, options ?? {})),
    count: async (options) => (await run(() => countRecords(ctx, resource, given(options)))).count,
    create: (data) => run(() => createRecord(ctx, resource, data)),
    updateById: (change) =>
      run(() => updateRecord(ctx, resource, { ...change, expected: expectedIn(resource, change) })),
    deleteById: (target) =>
      run(() => deleteRecord(ctx, resource, { ...target, expected: expectedIn(resource, target) })),
    restoreById: (target) =>
      run(() => restoreRecord(ctx, resource, { id: target.id, expected: expectedIn(resource, target) })),
    purgeById: (target) =>
      run(() => purgeRecord(ctx, resource, { id: target.id, expected: expectedIn(resource, target) })),
    updateMany: (change) => run(() => updateMany(ctx, resource, definedOnly(change))),
    updateBatch: (batch) => run(() => updateBatch(ctx, resource, batch)),
    deleteMany: (target) => run(() => deleteMany(ctx, resource, definedOnly(target))),
  }
}

function expectedIn(resource: Resource, given: { readonly expectedRevision?: unknown } | undefined) {
  return readExpectedRevision(resource, given?.expectedRevision)
}

function globalOperations(ctx: OperationContext, resource: Resource): GlobalOperations {
  return {
    get: async (options) => (await perform(ctx.schema, () => readGlobal(ctx, resource, given(options)))).value,
    update: async (data, options) =>
      (await perform(ctx.schema, () => updateGlobal(ctx, resource, { data, expected: expectedIn(resource, options) })))
        .value,
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
