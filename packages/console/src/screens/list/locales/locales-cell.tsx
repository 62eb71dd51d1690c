import { useEffect, useSyncExternalStore } from "react"
import { useContentLocales } from "../../../kit/locales/use-content-locales.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"
import { LocaleMarks } from "../../../parts/locale-marks.tsx"
import type { CompletenessStore } from "./completeness-store.ts"

interface LocalesCellProps {
  readonly store: CompletenessStore
  readonly record: ConsoleRecord
}

/** The languages of a record, hollow where a text is missing; nothing where that cannot be known. */
export function LocalesCell({ store, record }: LocalesCellProps) {
  const locales = useContentLocales()
  const { id } = record
  const version = `${String(record["revision"])} ${Number(record["updatedAt"])}`
  useEffect(() => store.want(id, version), [store, id, version])
  const filled = useSyncExternalStore(store.subscribe, () => store.get(id))
  return filled ? <LocaleMarks locales={locales} filled={filled} /> : null
}
