import type { Engine } from "../../engine/engine.ts"
import type { UserAccounts } from "../../features/auth/accounts/user-accounts.ts"
import type { Identity } from "../../features/auth/identity.ts"
import type { Publishers } from "../../features/jobs/publishers.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import { createChannelPublishers } from "../../features/realtime/channels/publishers.ts"
import { type OwnFile, storeOwnFile } from "../../features/uploads/store-own-file.ts"
import type { StoredFiles } from "../../features/uploads/stored-files.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { LocalApi } from "../../wire/results/operations.ts"
import type { App } from "../app.ts"
import type { AppApi, SystemApi } from "../definition/app-api.ts"
import { runSeeds } from "../handlers/run-seeds.ts"
import type { Part } from "../part-list.ts"
import type { OpenKeyValues } from "./key-values-part.ts"
import type { OpenMail } from "./mail-part.ts"

interface InProcessDependencies {
  readonly channels: CompiledChannels
  readonly database: Database
  readonly files: StoredFiles
  readonly mail: OpenMail
  readonly kv: OpenKeyValues
  readonly publishers: Publishers
  readonly engine: Engine
  readonly identity: Identity | undefined
}

type InProcessApi = Pick<App, "as" | "system" | "users" | "email" | "kv" | "queue" | "channels" | "seed">

/** The app's API for code in this process. */
export const inProcessPart: Part<InProcessDependencies, { readonly api: InProcessApi }> = {
  open: ({ channels, database, files, mail, kv, publishers, engine, identity }) => {
    const usersOn = (connection: Connection) => identity?.usersOn(connection) ?? NO_USERS
    const seedApiOn = (connection: Connection) => ({
      ...typedSystem(engine.systemOn(connection)),
      users: usersOn(connection),
      upload: (collection: string, file: File, data: OwnFile["data"] = {}) =>
        storeOwnFile(engine.systemContextOn(connection), collection, { files, file, data }),
    })
    const api: InProcessApi = {
      as: (session) => typed(engine.as(session)),
      system: typedSystem(engine.system),
      users: usersOn(database),
      email: mail.mailers.on(database),
      kv: kv.on(database),
      queue: publishers.at({ connection: database, publishedBy: null }),
      channels: createChannelPublishers(channels).on(database),
      seed: (seeds) => runSeeds(database, seeds, seedApiOn),
    }
    return { api }
  },
}

const NO_USERS: UserAccounts = {
  create: () =>
    Promise.reject(new Error('There are no users: "sessions" in kit.config.ts takes the place of identity.')),
}

// The cast is safe: the generated types describe exactly the collections and globals of the compiled schema.
function typed(api: LocalApi): AppApi {
  return api as unknown as AppApi
}

// The cast is safe: the generated types describe exactly the collections and globals of the compiled schema.
function typedSystem(api: LocalApi): SystemApi {
  return api as unknown as SystemApi
}
