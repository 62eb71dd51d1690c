import type { HeaderMap } from "../../wire/options/call-options.ts"
import { normalizeBasePath } from "../../wire/paths/paths.ts"

export interface QuestpieClientConfig {
  /** The origin of the API: `https://example.com`. */
  readonly baseURL: string
  /** Where the API is mounted; must be what the server says. */
  readonly basePath?: string | undefined
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Sent with every request; an `accept-language` is the first locale. */
  readonly headers?: HeaderMap | undefined
  /** Asked before each request, for tokens that change; wins over `headers`. What it throws, the call throws. */
  readonly getAuthHeaders?: (() => HeaderMap | undefined | Promise<HeaderMap | undefined>) | undefined
  /** Milliseconds for each call that does not say otherwise; without it a call waits as long as it takes. */
  readonly timeout?: number | undefined
  /** On unless set to false: then dates and big integers arrive as text, whatever the types say. */
  readonly useExtendedJSON?: boolean | undefined
  readonly realtime?: RealtimeConfig | undefined
  /** Options of collaborative documents. */
  readonly crdt?: object | undefined
}

/** How live queries behave. */
export interface RealtimeConfig {
  /** On unless set to false: a tab that is hidden for 30 s closes its stream, and opens it again when it is shown. */
  readonly pauseHidden?: boolean | undefined
}

const ADDRESS = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i

/** Where the API is, without a trailing slash. */
export function addressOf({ baseURL, basePath }: QuestpieClientConfig): string {
  const address = `${baseURL}`.replace(/\/+$/, "") + normalizeBasePath(basePath)
  if (URL.canParse(address) && ADDRESS.test(address)) return address
  throw new TypeError(`baseURL must be like "https://example.com": "${address}" is no address.`)
}
