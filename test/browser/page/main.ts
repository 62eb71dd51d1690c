import { createClient, type QuestpieClientConfig, QuestpieClientError, UploadError } from "kit/client"

// The parts of the browser API that are used: the tests are compiled without its types.
declare const location: { readonly href: string }

export type PageClient = ReturnType<typeof newClient>

/** The object that the tests find in the page. */
export interface PageKit {
  readonly client: PageClient
  newClient(config?: Partial<QuestpieClientConfig>): PageClient
  readonly QuestpieClientError: typeof QuestpieClientError
  readonly UploadError: typeof UploadError
  /** Values that a test keeps from one step to the next. */
  readonly kept: Record<string, any>
}

const baseURL = new URL(location.href).searchParams.get("api") ?? ""

function newClient(config?: Partial<QuestpieClientConfig>) {
  // Untyped, because the types have their own tests.
  return createClient({ baseURL, basePath: "/api", ...config }) as unknown as {
    readonly collections: Record<string, any>
    readonly globals: Record<string, any>
    readonly routes: any
    readonly auth: any
    readonly realtime: { readonly subscriberCount: number; destroy(): void }
  }
}

const kit: PageKit = { client: newClient(), newClient, QuestpieClientError, UploadError, kept: {} }
Object.assign(globalThis, { kit })
