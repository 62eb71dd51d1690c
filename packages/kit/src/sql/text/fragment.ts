import type { Resource } from "../../schema/compile/resource.ts"

/** Collects the parameter values and the table aliases of a statement while its text is built. */
export class Parameters {
  readonly values: unknown[]
  #aliases = 0

  /** `values` are those of the placeholders that the statement already has. */
  constructor(values: readonly unknown[] = []) {
    this.values = [...values]
  }

  /** Adds the parameter value and returns its placeholder, such as `$1`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  /** Returns a table alias that the statement does not use yet. */
  alias(): string {
    return `t${this.#aliases++}`
  }
}

// Returns the name in quotes. It needs no escaping: names come from the compiled schema, which allows only letters,
// digits and _ in them.
export function quote(name: string): string {
  return `"${name}"`
}

/** Returns the SQL that casts a placeholder to an array of the resource's ids. */
export function idList({ id }: Pick<Resource, "id">, placeholder: string): string {
  return `${placeholder}::${id.type.sqlType}[]`
}

export function column(alias: string, name: string): string {
  return `${alias}."${name}"`
}
