import type { HeaderMap } from "../../wire/options/call-options.ts"
import { normalizeBasePath } from "../../wire/paths/paths.ts"

export interface QuestpieClientConfig {
  /** The origin of the API: `https://example.com`. */
  readonly baseURL: string
  /** The mount path of the API; must match the server's. */
  readonly basePath?: string | undefined
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Sent with every request; an `accept-language` sets the first locale. */
  readonly headers?: HeaderMap | undefined
  /** Called before each request, for tokens that change; overrides `headers`. The call rejects if it throws. */
  readonly getAuthHeaders?: (() => HeaderMap | undefined | Promise<HeaderMap | undefined>) | undefined
  /** The default timeout of a call, in milliseconds; without it a call has no timeout. */
  readonly timeout?: number | undefined
  /** On unless set to false: then dates and big integers arrive as text, despite their types. */
  readonly useExtendedJSON?: boolean | undefined
  readonly realtime?: RealtimeConfig | undefined
  /** Options of collaborative documents. */
  readonly crdt?: object | undefined
}

/** The options of live queries. */
export interface RealtimeConfig {
  /** On unless set to false: a tab that is hidden for 30 s closes its stream, and opens it again when it is shown. */
  readonly pauseHidden?: boolean | undefined
}

const ADDRESS = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i

/** Returns the URL of the API, without a trailing slash. */
export function addressOf({ baseURL, basePath }: QuestpieClientConfig): string {
  const address = `${baseURL}`.replace(/\/+$/, "") + normalizeBasePath(basePath)
  if (URL.canParse(address) && ADDRESS.test(address)) return address
  throw new TypeError(`baseURL must be like "https://example.com": "${address}" is not a URL.`)
}
