import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { Resource, ResourceField } from "../compile/resource.ts"

/** The mention of a field in a list, a form or a filter. `name` is whatever the author has written there. */
interface Mention {
  readonly place: string
  readonly name: unknown
}

/** Finds the mistakes in the names of a resource's fields. Hidden fields may not be named, because nobody sees them. */
export class NamedFields {
  readonly #fields: ReadonlyMap<string, ResourceField>

  constructor({ fields }: Pick<Resource, "fields">) {
    this.#fields = fields
  }

  /** Returns the mistakes in a list of names, of which each may be there once. */
  checkList(place: string, names: unknown, isFit?: Fitness): string[] {
    if (names === undefined) return []
    if (!Array.isArray(names)) return [`${place} is not a list of field names. Write one such as ["title"].`]
    const twice = names.filter((name, index) => names.indexOf(name) < index)
    return [
      ...names.flatMap((name) => this.check({ place, name }, isFit)),
      ...twice.map((name) => `${place} names the field "${String(name)}" twice. Remove one.`),
    ]
  }

  /** Returns the mistakes in one name. */
  check({ place, name }: Mention, isFit?: Fitness): string[] {
    if (typeof name !== "string") return [`${place} contains something that is not the name of a field. Remove it.`]
    const field = this.#fields.get(name)
    const mention = `${place} names the field "${name}"`
    if (field === undefined) return [`${mention}, which does not exist.${didYouMean(name, this.#visibleNames())}`]
    if (field.hidden) return [`${mention}, which is hidden, so that no caller could see it. Remove it.`]
    return isFit === undefined || isFit.test(field) ? [] : [`${mention}, ${isFit.otherwise}`]
  }

  #visibleNames(): string[] {
    return [...this.#fields.values()].flatMap(({ name, hidden }) => (hidden ? [] : [name]))
  }
}

/** A condition that a named field has to satisfy, and the end of the sentence for one that does not. */
interface Fitness {
  readonly otherwise: string
  test(field: ResourceField): boolean
}
