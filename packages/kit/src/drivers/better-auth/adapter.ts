import { createAdapterFactory } from "better-auth/adapters"
import { APIError } from "better-auth/api"
import type { BetterAuthOptions, DBAdapter, Where } from "better-auth/types"
import type { IdentityCondition, IdentityModel, IdentityRow, IdentityStore } from "../../ports/identity.ts"
import { setFailure } from "./call-state.ts"

type MakeAdapter = (options: BetterAuthOptions) => DBAdapter<BetterAuthOptions>

/** Creates the database adapter with which better-auth uses our store. */
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
      // The store generates the ids.
      disableIdGeneration: true,
      transaction: (work) => guarded(() => store.transaction((inner) => work(adapterOf(inner, options)))),
    },
    adapter: () => ({
      create: async ({ model, data }) => row(await guarded(() => store.create(modelOf(model), data))),
      findOne: async ({ model, where }) => row(first(await find(store, { model, where, limit: 1 }))),
      findMany: async ({ model, where, limit, offset, sortBy }) =>
        row(await find(store, { model, where, limit, offset, sortBy })),
      count: ({ model, where }) => guarded(() => store.count(modelOf(model), conditions(where))),
      // The library passes an object of its columns as the update.
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

// The library expects rows of the model's type, and the store returns only rows of the model.
function row<Row>(found: unknown): Row {
  return found as Row
}

function first<Row>(rows: readonly Row[]): Row | null {
  return rows[0] ?? null
}

const MODELS: readonly string[] = ["user", "session", "account", "verification"] satisfies IdentityModel[]

function modelOf(name: string): IdentityModel {
  if (!MODELS.includes(name)) throw new Error(`There is no table for "${name}".`)
  // The check above has confirmed it.
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
    // The library swallows errors of other types. An APIError ends the request.
    throw new APIError("INTERNAL_SERVER_ERROR", { message: STORE_FAILED, cause })
  }
}
