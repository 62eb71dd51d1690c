import type { Field } from "../builders/field.ts"
import { checkCollaborative } from "../documents/check-collaborative.ts"
import { RelationField } from "../fields/relation.ts"
import { isDerived, isProblem } from "./field-type.ts"
import { isValidation } from "./validation.ts"

/** Returns the mistakes in a field's declaration that are possible for any field type, as sentences for the author. */
export function checkField(field: Field): readonly string[] {
  const own = field.mistakes()
  if (own.length > 0) return own
  const unfit = checkContainsIndex(field)
  if (unfit.length > 0) return unfit
  const unstored = checkDerived(field)
  if (unstored.length > 0) return unstored
  return [
    ...checkDefault(field),
    ...checkFieldAccess(field),
    ...checkUnique(field),
    ...checkListOfReferences(field),
    ...checkLocalized(field),
    ...checkCollaborative(field),
    ...checkValidations(field),
  ]
}

function checkContainsIndex(field: Field): string[] {
  if (!field.traits.containsIndex) return []
  const type = field.compile()
  if (type.operators === "text" && !isDerived(type)) return []
  return ['has .index("contains"), which only a stored text can have. Remove it, or use .index().']
}

function checkLocalized(field: Field): string[] {
  const { localized, unique, index } = field.traits
  if (!localized) return []
  const { operators, sqlType, name } = field.compile()
  if (operators === "id") return ["is a relation and cannot be localized. Localize the fields of its target."]
  const modifiers = Object.entries({ unique, index }).filter(([, isSaid]) => isSaid)
  if (isIndexedByLocale(sqlType)) return []
  return modifiers.map(([modifier]) => `is a localized ${name} and cannot have .${modifier}(). Remove one of them.`)
}

function checkDefault(field: Field): string[] {
  const { default: value } = field.traits
  // A relation's default is an id, whose format depends on the target collection, so `linkRelations` checks it.
  if (value === undefined || typeof value === "function" || field instanceof RelationField) return []
  const parsed = field.compile().parse(value)
  return isProblem(parsed) ? [`has a default that does not fit: ${parsed.problem}`] : []
}

function checkFieldAccess(field: Field): string[] {
  return Object.entries(field.traits.access ?? {}).flatMap(([operation, rule]) => {
    if (!["read", "create", "update"].includes(operation)) {
      return [`has an access rule for "${operation}". A field has rules for read, create and update.`]
    }
    const isRule = rule === undefined || typeof rule === "boolean" || typeof rule === "function"
    return isRule ? [] : [`has an access rule "${operation}" that is neither true, false nor a function.`]
  })
}

function checkDerived(field: Field): string[] {
  if (!isDerived(field.compile())) return []
  const { default: value, unique, index, localized, validations } = field.traits
  const said = { default: value !== undefined, unique, index, localized, validate: validations.length > 0 }
  const modifiers = Object.entries(said).filter(([, isSaid]) => isSaid)
  return modifiers.map(([modifier]) => `is not stored and cannot have .${modifier}(). Remove it.`)
}

function checkUnique(field: Field): string[] {
  return field.traits.unique && field.compile().sqlType === "jsonb"
    ? ["is JSON and cannot be unique. Move the unique part into a field of its own."]
    : []
}

function checkListOfReferences(field: Field): string[] {
  const { references, sqlType } = field.compile()
  if (references === undefined || sqlType === "jsonb") return []
  return ["is a list of relations. Declare a relation to many records: f.relation(…).manyToMany({ ordered: true })."]
}

function checkValidations(field: Field): string[] {
  const areValid = field.traits.validations.every(isValidation)
  return areValid ? [] : ["has a .validate(…) that is given neither a function nor a Standard Schema."]
}

const INDEXED_BY_LOCALE = /^(text|integer|bigint|numeric.*|double precision|boolean)$/

/**
 * True if a localized field of this SQL type can have an index. Localized values are stored as JSON, so the index has
 * to cast text to the SQL type. PostgreSQL allows only immutable casts in an index, and the cast to a date, for
 * example, is not immutable.
 */
export function isIndexedByLocale(sqlType: string): boolean {
  return INDEXED_BY_LOCALE.test(sqlType)
}
