import { keyOfChange } from "../../../engine/operations/reads/live.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"

/** A topic or room that depends on a record. */
export interface RecordWatcher {
  onRecordChanged(change: CommittedChange): void
}

/** The topics and rooms of this process, by the records on which they depend. */
export class RecordWatchers {
  readonly #watchers = new Map<string, Set<RecordWatcher>>()

  /** Reports the changes of a record to the watcher. Returns a function that ends this. */
  watch(resource: string, recordId: string, watcher: RecordWatcher): () => void {
    const key = keyOf(resource, recordId)
    const watchers = this.#watchers.get(key) ?? new Set()
    this.#watchers.set(key, watchers)
    watchers.add(watcher)
    return () => {
      watchers.delete(watcher)
      if (watchers.size === 0 && this.#watchers.get(key) === watchers) this.#watchers.delete(key)
    }
  }

  onChanges(changes: readonly CommittedChange[]): void {
    if (this.#watchers.size === 0) return
    for (const change of changes) {
      const watchers = this.#watchers.get(keyOf(keyOfChange(change), change.record)) ?? []
      for (const watcher of [...watchers]) watcher.onRecordChanged(change)
    }
  }
}

function keyOf(resource: string, recordId: string): string {
  return `${resource} ${recordId}`
}
