import type { Session } from "kit"
import { type Client, createClient, type QuestpieClientConfig } from "kit/client"
import type { UntypedApp } from "kit/generated"
import { sessions, type TestApp } from "../../support/worlds/test-app.ts"

interface Settings extends Partial<QuestpieClientConfig> {
  readonly session?: Session | undefined
}

/** The types of an app of which only the names of the collections and globals are known. */
interface NamedApp<Collection extends string, Global extends string> extends UntypedApp {
  collections: Record<Collection, UntypedApp["collections"][string]>
  globals: Record<Global, UntypedApp["globals"][string]>
}

/** Returns a real client for the server of a test. */
export function clientOf<Collection extends string, Global extends string = never>(
  { app, url }: TestApp,
  { session, ...config }: Settings = {},
): Client<NamedApp<Collection, Global>> {
  const headers = session && { cookie: sessions.sign(session) }
  return createClient({ baseURL: new URL(url).origin, basePath: app.basePath, headers, ...config })
}
