import type { CollectionSchema } from "kit/client"
import { useMemo } from "react"
import { useAppIndex } from "../../../kit/descriptions.ts"
import { type ConsoleRecord, collectionHandle } from "../../../kit/resources.ts"
import { useWords } from "../../../words/words.ts"
import { schemaInStage, sourceOf } from "../list-options.ts"
import type { ListState } from "../list-state.ts"
import { readCompleteness } from "./completeness.ts"
import { CompletenessStore } from "./completeness-store.ts"
import { localizedFields, withLocalesColumn } from "./locales-column.ts"

/** Returns whether the records of a collection have texts in several languages. */
export function useHasLocales(schema: CollectionSchema): boolean {
  const { locales } = useAppIndex()
  return locales.all.length > 1 && localizedFields(schema).length > 0
}

/** Returns the description of what a list shows: of the stage that it reads, with the languages of the texts. */
export function useListSchema(whole: CollectionSchema, { stage }: ListState): CollectionSchema {
  const { textIn } = useWords("locales")
  const { locales } = useAppIndex()
  const hasLocales = useHasLocales(whole)
  return useMemo(() => {
    const schema = schemaInStage(whole, { stage })
    return hasLocales ? withLocalesColumn(schema, { label: textIn, count: locales.all.length }) : schema
  }, [whole, stage, hasLocales, textIn, locales])
}

/** Returns what is known of the languages of the shown records. */
export function useCompleteness(schema: CollectionSchema, { stage, isTrash }: ListState): CompletenessStore {
  const { locales } = useAppIndex()
  return useMemo(() => {
    const source = sourceOf(schema, { stage, isTrash })
    return new CompletenessStore((ids) =>
      readCompleteness(
        {
          fields: localizedFields(schema),
          locales: locales.all,
          find: async (options) => {
            const { docs } = await collectionHandle(schema.name).find({ ...options, ...source })
            // Every record that the API answers has an id.
            return docs as unknown as readonly ConsoleRecord[]
          },
        },
        ids,
      ),
    )
  }, [schema, stage, isTrash, locales])
}
