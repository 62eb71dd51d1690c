import { createHash } from "node:crypto"
import { stringifyInSlices } from "../../engine/read/stringify-in-slices.ts"
import { buildDocument } from "./build-document.ts"
import type { DescribedApp, DescribedResource } from "./described-app.ts"

// The document of an app with 200 collections of 40 fields has about 8 million characters.
const MAX_KEPT_CHARACTERS = 16_000_000

/**
 * The documents of an app as JSON. Callers with the same rights share one, because building the document of a large app
 * takes longer than most requests. Those that were used last are kept.
 */
export class DocumentTexts {
  readonly #texts = new Map<string, Promise<string>>()
  readonly #lengths = new Map<string, number>()

  async read(app: DescribedApp): Promise<string> {
    const key = keyOf(app)
    const text = this.#texts.get(key) ?? this.#build(key, app)
    this.#texts.delete(key)
    this.#texts.set(key, text)
    return await text
  }

  async #build(key: string, app: DescribedApp): Promise<string> {
    try {
      const text = (await stringifyInSlices(await buildDocument(app), undefined)) ?? ""
      this.#lengths.set(key, text.length)
      this.#forgetOldest(key)
      return text
    } catch (error) {
      this.#texts.delete(key)
      throw error
    }
  }

  #forgetOldest(newest: string): void {
    let kept = [...this.#lengths.values()].reduce((sum, length) => sum + length, 0)
    for (const key of [...this.#texts.keys()]) {
      if (kept <= MAX_KEPT_CHARACTERS) return
      const length = this.#lengths.get(key)
      if (key === newest || length === undefined) continue
      this.#texts.delete(key)
      this.#lengths.delete(key)
      kept -= length
    }
  }
}

// Returns a key for everything that the documents of one app can differ in.
function keyOf({ reader, resources, routes }: DescribedApp): string {
  const rights = [reader, resources.map(resourceKey), routes.map(({ route, isOpen }) => [route.title, isOpen])]
  return createHash("sha256").update(JSON.stringify(rights)).digest("base64url")
}

function resourceKey(described: DescribedResource): readonly unknown[] {
  const { resource, operations, fields, transitions, stages, isPublic, openOperations } = described
  return [
    resource.kind,
    resource.name,
    operations,
    [...fields],
    [...transitions],
    [...stages],
    isPublic,
    openOperations,
  ]
}
