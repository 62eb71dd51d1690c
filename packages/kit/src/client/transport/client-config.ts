import type { HeaderMap } from "../../wire/options/call-options.ts"
import { normalizeBasePath } from "../../wire/paths/paths.ts"

export interface QuestpieClientConfig {
  /** The origin of the API, such as `https://example.com`. */
  readonly baseURL: string
  /** The mount path of the API, which must match the server's setting. */
  readonly basePath?: string | undefined
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** The headers that are sent with every request. An `accept-language` header sets the client's initial locale. */
  readonly headers?: HeaderMap | undefined
  /**
   * Returns headers for one request, such as a token that changes. Called before each request; its headers override
   * `headers`. If it throws, the request fails with that error.
   */
  readonly getAuthHeaders?: (() => HeaderMap | undefined | Promise<HeaderMap | undefined>) | undefined
  /** The default timeout of a request, in milliseconds. Without it, a request has no timeout. */
  readonly timeout?: number | undefined
  /**
   * True by default. If false, dates and big integers arrive as strings, although the types say `Date` and `bigint`.
   */
  readonly useExtendedJSON?: boolean | undefined
  readonly realtime?: RealtimeConfig | undefined
  /** The options for collaborative documents. */
  readonly crdt?: object | undefined
}

/** The options for live queries. */
export interface RealtimeConfig {
  /** True by default: a tab that is hidden for 30 s closes its stream, and opens it again when the tab is visible. */
  readonly pauseHidden?: boolean | undefined
}

const ADDRESS = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i

/** Returns the URL of the API, without a trailing slash. */
export function addressOf({ baseURL, basePath }: QuestpieClientConfig): string {
  const address = `${baseURL}`.replace(/\/+$/, "") + normalizeBasePath(basePath)
  if (URL.canParse(address) && ADDRESS.test(address)) return address
  throw new TypeError(`baseURL must be like "https://example.com": "${address}" is not a URL.`)
}
