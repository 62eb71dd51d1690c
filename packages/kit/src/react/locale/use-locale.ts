import { useProvided } from "../provider/kit-context.ts"
import { partsOf, providedParts } from "../provider/parts-of.ts"
import { useClientLocale } from "../reads/use-entry.ts"

export interface ShownLocale<Locale> {
  /** The locale of the client's requests; undefined if the server chooses one. */
  readonly locale: Locale | undefined
  /** Sets the locale. All components read again what they show. Always the same function. */
  readonly setLocale: (locale: Locale | undefined) => void
}

/** A client whose locales are known by type. */
interface ClientOf<Locale> {
  setLocale(locale: Locale | undefined): void
}

/**
 * Shows the locale of the client, and sets it. The client is that of `KitProvider` unless it is given.
 *
 * const { locale, setLocale } = useLocale(client)
 */
export function useLocale<Locale extends string = string>(client?: ClientOf<Locale>): ShownLocale<Locale> {
  const provided = useProvided()
  const parts = client ? partsOf(client, "useLocale") : providedParts(provided, "useLocale")
  // The casts are safe: the client's types allow only its locales.
  const locale = useClientLocale(parts) as Locale | undefined
  return { locale, setLocale: parts.setLocale as ShownLocale<Locale>["setLocale"] }
}
