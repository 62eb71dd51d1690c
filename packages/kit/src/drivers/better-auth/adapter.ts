import { createAdapterFactory } from "better-auth/adapters"
import { APIError } from "better-auth/api"
import type { BetterAuthOptions, DBAdapter, Where } from "better-auth/types"
import type { IdentityCondition, IdentityModel, IdentityRow, IdentityStore } from "../../ports/identity.ts"
import { currentCall, setFailure } from "./call-state.ts"

type MakeAdapter = (options: BetterAuthOptions) => DBAdapter<BetterAuthOptions>

/** Creates the database adapter through which the better-auth library reads and writes the identity store. */
export function storeAdapter(store: IdentityStore): MakeAdapter {
  return (options) => adapterOf(store, options)
}

function adapterOf(store: IdentityStore, options: BetterAuthOptions): DBAdapter<BetterAuthOptions> {
  return createAdapterFactory({
    config: {
      adapterId: "kit",
      supportsJSON: true,
      supportsArrays: true,
      supportsUUIDs: true,
      // The identity store generates the record ids, not better-auth.
      disableIdGeneration: true,
      transaction: (work) => guarded(() => store.transaction((inner) => work(adapterOf(inner, options)))),
    },
    adapter: () => ({
      create: async ({ model, data }) =>
        row(await guarded(() => store.create(modelOf(model), withUserFields(model, data)))),
      findOne: async ({ model, where }) => row(first(await find(store, { model, where, limit: 1 }))),
      findMany: async ({ model, where, limit, offset, sortBy }) =>
        row(await find(store, { model, where, limit, offset, sortBy })),
      count: ({ model, where }) => guarded(() => store.count(modelOf(model), conditions(where))),
      // The cast is safe: better-auth passes the update as an object of column values.
      update: async ({ model, where, update }) =>
        row(first(await guarded(() => store.update(modelOf(model), conditions(where), update as IdentityRow)))),
      updateMany: async ({ model, where, update }) =>
        (await guarded(() => store.update(modelOf(model), conditions(where), update))).length,
      delete: async ({ model, where }) => {
        await guarded(() => store.delete(modelOf(model), conditions(where)))
      },
      deleteMany: async ({ model, where }) =>
        (await guarded(() => store.delete(modelOf(model), conditions(where)))).length,
      consumeOne: async ({ model, where }) =>
        row(first(await guarded(() => store.delete(modelOf(model), conditions(where))))),
    }),
  })(options)
}

// Adds the author's fields to a new user. better-auth itself knows their names, but accepts no values for them.
function withUserFields(model: string, data: IdentityRow): IdentityRow {
  return model === "user" ? { ...data, ...currentCall().userFields } : data
}

interface Search {
  readonly model: string
  readonly where?: readonly Where[] | undefined
  readonly limit?: number
  readonly offset?: number | undefined
  readonly sortBy?: { field: string; direction: "asc" | "desc" } | undefined
}

function find(store: IdentityStore, { model, where, ...page }: Search) {
  return guarded(() => store.find(modelOf(model), { ...page, where: conditions(where) }))
}

// The cast is safe: better-auth expects rows of the model that it asked for, and the store returns only such rows.
function row<Row>(found: unknown): Row {
  return found as Row
}

function first<Row>(rows: readonly Row[]): Row | null {
  return rows[0] ?? null
}

const MODELS: readonly string[] = ["user", "session", "account", "verification"] satisfies IdentityModel[]

function modelOf(name: string): IdentityModel {
  if (!MODELS.includes(name)) throw new Error(`There is no table for "${name}".`)
  // The cast is safe: the name is in MODELS, which contains only identity models.
  return name as IdentityModel
}

function conditions(where: readonly Where[] = []): IdentityCondition[] {
  return where.map(({ field, operator = "eq", value, connector = "AND" }) => ({ field, operator, value, connector }))
}

const STORE_FAILED = "The store failed."

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof APIError) throw cause
    setFailure(cause)
    // Throws an APIError, which ends the request. better-auth would swallow an error of any other type.
    throw new APIError("INTERNAL_SERVER_ERROR", { message: STORE_FAILED, cause })
  }
}
