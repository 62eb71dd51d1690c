import { bodyText, Transport } from "../../client/transport/transport.ts"
import type { HeaderMap } from "../../wire/options/call-options.ts"
import { HASH_HEADER } from "../../wire/options/client-headers.ts"
import type { Handle } from "../../wire/realtime/handle.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type { CursorValue } from "../../wire/typed/typed-operations.ts"
import { factsOf } from "../reads/facts-of.ts"
import type { GroupOf, OptionsOf, ReadableKind } from "../reads/read-types.ts"
import { queryOf } from "../store/query-key.ts"
import { readOnce } from "../store/read-once.ts"

/**
 * A result that was read before the page is rendered. It is plain JSON, so that any framework can send it to the
 * browser.
 */
export interface PreloadedEntry {
  /** Identifies the read: its handle, its options and the client's locale. */
  readonly key: string
  /** The data in the envelope of extended JSON, where dates and big integers are text. */
  readonly body: unknown
  /** The hash of the data, by which the server recognizes that it has not changed. */
  readonly hash: string | null
  /** The time of the read, in milliseconds. */
  readonly at: number
}

export interface PreloadSettings {
  /**
   * The headers of the request for which the server renders. Only those are passed on that identify the user and the
   * language: `cookie`, `authorization` and `accept-language`.
   */
  readonly headers?: HeaderMap | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
}

/**
 * Reads a result on the server or in a loader. `<KitProvider initial={[entry]}>` shows it in the first render, and the
 * hooks with the same handle and options go live from there.
 *
 * const board = await preload(client.collections.articles, { limit: 20 }, { headers: request.headers })
 */
export function preload(
  handle: Handle<"session">,
  options?: Record<never, never>,
  settings?: PreloadSettings,
): Promise<PreloadedEntry>
export function preload<
  Kind extends ReadableKind,
  Types extends GlobalTypes = CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Group extends GroupOf<Types> | undefined = never,
  const Locale extends Types["locale"] | "*" = never,
  PageNumber extends number | undefined = undefined,
  Cursor extends CursorValue = undefined,
>(
  handle: Handle<Kind, Types>,
  options?: OptionsOf<Kind, Types, With, Columns, Group, Locale, PageNumber, Cursor>,
  settings?: PreloadSettings,
): Promise<PreloadedEntry>
export async function preload(
  handle: Handle,
  options: object = {},
  { headers, ...limits }: PreloadSettings = {},
): Promise<PreloadedEntry> {
  const facts = factsOf(handle, "preload")
  const query = queryOf(facts, options)
  const { transport, hash } = withHash(facts.parts.transport)
  const at = Date.now()
  const call = { ...limits, headers: { ...callersHeaders(headers, query.locale), [HASH_HEADER]: "1" } }
  const data = await readOnce(transport, query, call)
  return { key: query.key, body: JSON.parse(bodyText(data, true)), hash: hash(), at }
}

// Returns a transport like the given one, which also notes the hash of the last answer.
function withHash({ config, locale }: Transport): { transport: Transport; hash(): string | null } {
  let hash: string | null = null
  const send = config.fetch ?? globalThis.fetch
  const noting: typeof send = async (...request) => {
    const response = await send(...request)
    hash = response.headers.get(HASH_HEADER)
    return response
  }
  const transport = new Transport({ ...config, fetch: noting })
  transport.locale = locale
  return { transport, hash: () => hash }
}

const ASKER = ["cookie", "authorization"]

// The other headers belong to the request of the browser, such as its host and the type of its body.
function callersHeaders(given: HeaderMap | undefined, locale: string | undefined): Record<string, string> {
  const entries = given instanceof Headers ? [...given] : Object.entries(given ?? {})
  // The client's own locale is what the browser will ask for, too.
  const passedOn = locale === undefined ? [...ASKER, "accept-language"] : ASKER
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value !== undefined && passedOn.includes(name.toLowerCase()) ? [[name.toLowerCase(), value]] : [],
    ),
  )
}
