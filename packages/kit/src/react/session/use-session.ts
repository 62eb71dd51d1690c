import type { HandleFacts } from "../../client/handle-facts.ts"
import type { UntypedApp } from "../../client/typed-client.ts"
import type { Handle } from "../../wire/realtime/handle.ts"
import type { AppTypes } from "../../wire/typed/app-config.ts"
import type { AuthTypes, ClientSession } from "../../wire/typed/typed-auth.ts"
import { useProvided } from "../provider/kit-context.ts"
import { providedParts } from "../provider/parts-of.ts"
import { factsOf } from "../reads/facts-of.ts"
import type { LiveResult } from "../reads/live-result.ts"
import { useEntry } from "../reads/use-entry.ts"
import { LIVE } from "../reads/use-live.ts"

/** A client whose users are known by type. */
interface ClientOf<Types extends AuthTypes> {
  readonly auth: Handle<"session", Types>
}

type UserOf<Config extends AppTypes> = Config extends { auth: { user: infer User } } ? User : never

/**
 * Shows who is signed in, and every change of it: a sign-in or sign-out in this tab, in another tab or elsewhere, and a
 * change of the user. The data is null if nobody is signed in. The client is that of `KitProvider` unless it is given.
 *
 * const { data: session } = useSession(client)
 */
export function useSession<Types extends AuthTypes>(
  client: ClientOf<Types>,
): LiveResult<ClientSession<Types["user"]> | null>
export function useSession<Config extends AppTypes = UntypedApp>(): LiveResult<ClientSession<UserOf<Config>> | null>
export function useSession(client?: ClientOf<AuthTypes>): LiveResult<ClientSession<object> | null> {
  const provided = useProvided()
  const facts: HandleFacts = client
    ? factsOf(client.auth, "useSession")
    : { kind: "session", resource: "", parts: providedParts(provided, "useSession") }
  // The cast is safe: the members of a live entry's result depend on its status as the type says, and the server sends a
  // session or null for this topic.
  return useEntry({ kind: LIVE, facts, options: {} }).result as LiveResult<ClientSession<object> | null>
}
