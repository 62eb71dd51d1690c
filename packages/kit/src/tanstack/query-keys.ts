import type { DataTag, QueryKey } from "@tanstack/query-core"
import { bodyOf, queryOf } from "../client/resources/query.ts"
import { bodyText } from "../client/transport/transport.ts"
import { isPlainObject } from "../wire/codecs/query-string.ts"
import type { HeaderMap } from "../wire/options/call-options.ts"

interface KeySettings {
  readonly keyPrefix: string
  /** The locale of reads and writes that name none. */
  readonly locale: string | undefined
  /** Returns the locale of the client, which it sends with requests that name none. */
  getLocale(): string | undefined
}

/** The options that have a place of their own in a key. */
export interface PlacedOptions {
  readonly locale?: string | undefined
  readonly stage?: string | undefined
}

/** Makes the keys of a resource: `["kit", "collections", "articles", "find", locale, stage, options]`. */
export class QueryKeys {
  /** The beginning of all keys of the resource. */
  readonly base: QueryKey
  readonly #settings: KeySettings
  readonly #path: readonly unknown[]

  constructor(settings: KeySettings, path: readonly unknown[] = []) {
    this.base = [settings.keyPrefix, ...path]
    this.#settings = settings
    this.#path = path
  }

  /** Returns the keys of a resource, or of a segment of a route, below this one. */
  below(...path: readonly unknown[]): QueryKeys {
    return new QueryKeys(this.#settings, [...this.#path, ...path])
  }

  /** Returns the key of a read with these options. Throws if a condition of a filter is undefined. */
  of<Data>(operation: string, options: PlacedOptions): DataTag<QueryKey, Data> {
    // Called only because it throws on invalid options, with the same errors as the read. The key would leave out an
    // undefined condition, and would be that of a read without the condition.
    queryOf(options)
    const { locale, stage, ...others } = options
    return tagged([...this.base, operation, this.localeOf(locale), stage ?? null, plain(bodyOf(others))])
  }

  /** Returns the key of a route call with this input. */
  ofInput<Data>(operation: string, input: unknown): DataTag<QueryKey, Data> {
    const start = [...this.base, operation, this.localeOf()]
    return tagged(input === undefined ? start : [...start, plain(input)])
  }

  /** Adds the locale of the settings to the options of an operation, unless they name one. */
  localized<Options extends PlacedOptions>(options: Options): Options {
    const { locale } = this.#settings
    return locale === undefined || options.locale !== undefined ? options : { ...options, locale }
  }

  /** Returns the locale of a read or of a route: the given one, that of the settings, or that of the client now. */
  localeOf(locale?: string): string | null {
    return locale ?? this.#settings.locale ?? this.#settings.getLocale() ?? null
  }
}

/** Returns the headers of a request in this locale. The client's own may have changed since the key was made. */
export function headersIn(locale: string | null): HeaderMap {
  return { "accept-language": locale ?? undefined }
}

// A key is plain JSON. Dates and big integers become text.
function plain(value: unknown): unknown {
  return JSON.parse(bodyText(value), (name, member: unknown) => (name === "orderBy" ? inOrder(member) : member))
}

// TanStack Query takes objects for equal whose members differ only in their order, so an order becomes a list.
function inOrder(orderBy: unknown): unknown {
  return [orderBy].flat().flatMap((order) => {
    if (!isPlainObject(order)) return [order]
    return Object.entries(order).map(([name, inner]) => ({ [name]: isPlainObject(inner) ? inOrder(inner) : inner }))
  })
}

function tagged<Data>(key: QueryKey): DataTag<QueryKey, Data> {
  // The cast is safe: the tag exists only in types, and who makes the key knows the data of the read.
  return key as DataTag<QueryKey, Data>
}
