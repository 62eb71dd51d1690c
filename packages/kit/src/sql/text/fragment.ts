import type { Resource } from "../../schema/compile/resource.ts"

/** The parameters of a statement under construction. */
export class Parameters {
  readonly values: unknown[] = []
  #aliases = 0

  /** Adds the value and returns its placeholder. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  /** Returns an alias that no other table of the statement has. */
  alias(): string {
    return `t${this.#aliases++}`
  }
}

// Names come from the compiled schema, which allows only letters, digits and _ in them.
export function quote(name: string): string {
  return `"${name}"`
}

/** Casts a placeholder to a list of ids. */
export function idList({ id }: Resource, placeholder: string): string {
  return `${placeholder}::${id.type.sqlType}[]`
}

export function column(alias: string, name: string): string {
  return `${alias}."${name}"`
}
