import { createHash } from "node:crypto"
import type { FileStore } from "../../ports/file-store.ts"
import { type ArchivedFile, FRAME } from "./archive-format.ts"
import { damaged, type FrameReader } from "./frame-reader.ts"

/**
 * The files that a restore has stored. They are stored before the transaction of the restore commits, because a file
 * without a record does no harm, and a record without its file does.
 */
export class RestoredFiles {
  readonly #store: FileStore
  readonly #before: ReadonlySet<string>
  readonly #restored = new Set<string>()

  private constructor(store: FileStore, before: ReadonlySet<string>) {
    this.#store = store
    this.#before = before
  }

  static async open(store: FileStore): Promise<RestoredFiles> {
    return new RestoredFiles(store, new Set((await store.list()).map(({ key }) => key)))
  }

  get count(): number {
    return this.#restored.size
  }

  /** Stores the next file of the archive, if its bytes have the hash that was dumped. */
  async restore(reader: FrameReader): Promise<void> {
    // The cast is safe: `kit db dump` has written a key.
    const { key } = (await reader.readJson(FRAME.file)) as ArchivedFile
    if (leavesFolder(key)) throw damaged()
    const hash = createHash("sha256")
    const file = await this.#store.begin()
    try {
      for await (const piece of reader.readData()) {
        hash.update(piece)
        await file.write(piece)
      }
      const expected = await reader.readJson(FRAME.fileEnd)
      if (JSON.stringify(expected) !== JSON.stringify({ sha256: hash.digest("hex") })) throw damaged()
      await file.commit(key)
    } catch (error) {
      await file.discard()
      throw error
    }
    this.#restored.add(key)
  }

  /** Removes the files that this restore has added, after it has failed. */
  async undo(): Promise<void> {
    for (const key of this.#restored) if (!this.#before.has(key)) await this.#store.remove(key)
  }

  /** Removes the files that were stored before and are not in the archive. */
  async removeOthers(): Promise<void> {
    for (const key of this.#before) if (!this.#restored.has(key)) await this.#store.remove(key)
  }
}

function leavesFolder(key: string): boolean {
  return key.split("/").some((part) => part === "" || part === "." || part === "..")
}
