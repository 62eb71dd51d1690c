import type { TimeSlice } from "../../../engine/read/time-slice.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"

/** Collects the schemas that the document's calls refer to. A schema is made once, and only if something refers to it. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema | undefined>()
  readonly #waiting: { readonly name: string; readonly make: () => JsonSchema }[] = []

  /** Returns a reference to the component. Its schema is made later, because it may refer to itself. */
  refer(name: string, make: () => JsonSchema): JsonSchema {
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, undefined)
      this.#waiting.push({ name, make })
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Makes the schemas of all components, and of those that they refer to, and returns them sorted by name. */
  async finish(turn: TimeSlice): Promise<Readonly<Record<string, JsonSchema>>> {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      if (turn.isOver) await turn.next()
      this.#schemas.set(next.name, next.make())
    }
    const names = [...this.#schemas.keys()].sort()
    return Object.fromEntries(names.map((name) => [name, this.#schemas.get(name) ?? {}]))
  }
}
