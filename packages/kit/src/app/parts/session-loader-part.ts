import { usersOf } from "../../features/auth/accounts/user-store.ts"
import { sessionOfUser } from "../../features/auth/sessions/session-of-user.ts"
import type { Database } from "../../ports/database.ts"
import type { SessionLoader } from "../../ports/session-provider.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { AppInputs } from "../app-inputs.ts"
import type { Part } from "../part-list.ts"

interface SessionLoaderDependencies extends Pick<AppInputs, "config" | "now"> {
  readonly schema: AppSchema
  readonly database: Database
}

/**
 * Loads the session that a user would have, for code that acts in the user's name. It is a part of its own, because the
 * engine needs it, while identity, which reads the sessions of requests, needs the engine.
 */
export const sessionLoaderPart: Part<SessionLoaderDependencies, { readonly sessionLoader: SessionLoader }> = {
  open: ({ config, schema, database, now }) => ({
    sessionLoader: config.sessions ?? {
      load: sessionOfUser({ connection: database, users: usersOf({ schema }), now }),
    },
  }),
}
