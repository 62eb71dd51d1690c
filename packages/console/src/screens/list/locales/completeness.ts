import type { FieldSchema } from "kit/client"

type Options = Readonly<Record<string, unknown>>

interface FoundRecord {
  readonly id: string
  readonly [field: string]: unknown
}

interface Reads {
  readonly fields: readonly FieldSchema[]
  readonly locales: readonly string[]
  /** Reads records of the collection. */
  readonly find: (options: Options) => Promise<readonly FoundRecord[]>
}

// The read asks only whether these are there: a hundred texts in every language would be megabytes.
const LONG_TYPES: readonly string[] = ["richText", "blocks", "array", "object", "json"]
// Each long field takes a read for each language. Further ones are not looked at.
const MAX_LONG_READS = 12

/**
 * Returns for each record the locales in which all of its texts are there: those that it has in any language. A record that
 * the person may not read in every language is not in the answer.
 */
export async function readCompleteness(
  { fields, locales, find }: Reads,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const short = fields.filter(({ type }) => !LONG_TYPES.includes(type))
  const long = fields
    .filter(({ type }) => LONG_TYPES.includes(type))
    .slice(0, Math.floor(MAX_LONG_READS / locales.length))
  const page = { limit: ids.length, total: false }
  const idOf = { id: { in: ids } }
  const columns = Object.fromEntries([["id", true], ...short.map(({ name }) => [name, true])])
  const [records, ...present] = await Promise.all([
    find({ where: idOf, locale: "*", columns, ...page }),
    ...long.flatMap(({ name }) =>
      locales.map(async (locale) => {
        const where = { ...idOf, [name]: { isNotNull: true } }
        const found = await find({ where, locale, localeFallback: false, columns: { id: true }, ...page })
        return { name, locale, ids: new Set(found.map(({ id }) => id)) }
      }),
    ),
  ])
  return new Map(
    records.map((record) => {
      const ofShort = short.map(({ name }) => localesWith(record[name], locales))
      const ofLong = long.map(({ name }) =>
        present.filter((each) => each.name === name && each.ids.has(record.id)).map(({ locale }) => locale),
      )
      return [record.id, completeLocales([...ofShort, ...ofLong], locales)]
    }),
  )
}

/** Returns the locales that each of the texts has. A text that there is in no language is missing in none. */
function completeLocales(texts: readonly (readonly string[])[], locales: readonly string[]): ReadonlySet<string> {
  const given = texts.filter((there) => there.length > 0)
  return new Set(locales.filter((locale) => given.every((there) => there.includes(locale))))
}

/** Returns the locales in which a value of all languages has a text. */
function localesWith(value: unknown, locales: readonly string[]): readonly string[] {
  if (value === null || typeof value !== "object") return []
  const texts = new Map(Object.entries(value))
  return locales.filter((locale) => {
    const text = texts.get(locale)
    return text !== null && text !== undefined && text !== ""
  })
}
