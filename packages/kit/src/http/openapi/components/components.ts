import type { TimeSlice } from "../../../engine/read/time-slice.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import type { Parameter, Reference } from "../openapi-document.ts"

/** Collects the schemas and parameters that the document's calls refer to. A schema is made once, and only if something refers to it. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema | undefined>()
  readonly #parameters = new Map<string, Parameter>()
  readonly #waiting: { readonly name: string; readonly make: () => JsonSchema }[] = []

  /** Returns a reference to the component. Its schema is made later, because it may refer to itself. */
  refer(name: string, make: () => JsonSchema): JsonSchema {
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, undefined)
      this.#waiting.push({ name, make })
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Returns the name if no component has it, otherwise the name with the first free number. */
  freeName(name: string): string {
    let free = name
    for (let number = 2; this.#schemas.has(free); number += 1) free = `${name}.${number}`
    return free
  }

  /** Returns a reference to a parameter that several calls share. */
  referToParameter(name: string, parameter: Parameter): Reference {
    this.#parameters.set(name, parameter)
    return { $ref: `#/components/parameters/${name}` }
  }

  /** Returns the shared parameters, sorted by name. */
  parameters(): Readonly<Record<string, Parameter>> {
    return Object.fromEntries([...this.#parameters].sort(([left], [right]) => (left < right ? -1 : 1)))
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
