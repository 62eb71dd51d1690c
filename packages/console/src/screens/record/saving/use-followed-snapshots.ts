import { useEffect } from "react"
import type { FormStore } from "../../../form/form-store.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"
import type { RecordRead } from "../use-record.ts"

/** Shows newer values of the server in the form, as they arrive. */
export function useFollowedSnapshots(store: FormStore, { record, readOptions }: RecordRead): void {
  const { locale } = readOptions
  useEffect(() => {
    if (record && locale === store.locale && !isOlder(record, store.baseline)) store.follow(record)
  }, [store, record, locale])
}

// A snapshot that was on its way when the form was saved shows the record as it was before.
function isOlder(record: ConsoleRecord, baseline: Readonly<Record<string, unknown>>): boolean {
  const [before, now] = [baseline["revision"], record["revision"]]
  if (typeof before === "number" && typeof now === "number") return now < before
  const [changedBefore, changedNow] = [baseline["updatedAt"], record["updatedAt"]]
  return changedBefore instanceof Date && changedNow instanceof Date && changedNow < changedBefore
}
