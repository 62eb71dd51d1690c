import { Field } from "../field.ts"
import type { FieldType, Parsed } from "../field-type.ts"

interface RelationRules {
  readonly target: string
}

/** A record of another collection, stored as its id. */
export class RelationField extends Field<string, RelationRules> {
  get target(): string {
    return this.rules.target
  }

  /** The records of the other collection whose field `via` points here. Nothing is stored in this one. */
  hasMany({ via }: { via: string }): ToManyField {
    return new ToManyField({ target: this.rules.target, way: { kind: "hasMany", via } }, this.traits)
  }

  /**
   * Records of the other collection, joined by a table of their own. When both sides declare the relation, the same name
   * for `through` on both makes it one.
   */
  manyToMany({ through }: { through?: string } = {}): ToManyField {
    return new ToManyField({ target: this.rules.target, way: { kind: "manyToMany", through } }, this.traits)
  }

  override compile(): FieldType {
    return { ...idType, name: "relation", parse: parseReference }
  }
}

interface ToManyRules {
  readonly target: string
  readonly way:
    | { readonly kind: "hasMany"; readonly via: string }
    | { readonly kind: "manyToMany"; readonly through: string | undefined }
}

/** Any number of records of another collection. */
export class ToManyField extends Field<readonly string[], ToManyRules> {
  get target(): string {
    return this.rules.target
  }

  override compile(): FieldType {
    return { ...idType, name: "relation", parse: () => ({ problem: "Expected records or operations on them." }) }
  }

  override mistakes(): readonly string[] {
    const { required, unique, index, default: value } = this.traits
    const refused = Object.entries({ required, unique, index, default: value !== undefined })
    const mistakes = refused.flatMap(([name, isSaid]) =>
      isSaid ? [`is a relation to many records and cannot have .${name}(). Remove it.`] : [],
    )
    const { way } = this.rules
    const isLoose = way.kind === "manyToMany" && way.through !== undefined && !LINK_NAME.test(way.through)
    return isLoose
      ? [...mistakes, `has the name "${way.through}" in through. Use up to 40 letters, digits and _.`]
      : mistakes
  }
}

const LINK_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,39}$/

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value)
}

/** The id of a record. */
export const idType: FieldType = Object.freeze<FieldType>({
  name: "id",
  sqlType: "uuid",
  operators: "id",
  typescript: { output: "string", input: "string" },
  parse: parseId,
  parseOperand: parseId,
  parseText: parseId,
})

function parseId(value: unknown): Parsed {
  return isId(value) ? { value: value.toLowerCase() } : { problem: "Expected the id of a record." }
}

// A write may name the target by its id or as { connect: { id } }.
function parseReference(value: unknown): Parsed {
  if (typeof value !== "object" || value === null) return parseId(value)
  const connect = soleProperty(value, "connect")
  const id = soleProperty(connect, "id")
  return id === undefined ? { problem: "Expected the id of a record, or { connect: { id } }." } : parseId(id)
}

function soleProperty(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0] === name ? (value as Record<string, unknown>)[name] : undefined
}
