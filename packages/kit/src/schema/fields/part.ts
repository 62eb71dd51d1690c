import { Field } from "../builders/field.ts"
import { type FieldType, type IdTypeOf, isDerived } from "../compile/field-type.ts"
import { isValidation } from "../compile/validation.ts"
import { checkedByServer } from "../json-schema/checked-by-server.ts"
import type { FieldPresentation } from "../presentation/presentation.ts"
import { idType, RelationField, ToManyField } from "./relation.ts"

/** Compiles a field that is part of another field. Its JSON Schema says that the author's checks are left out of it. */
export function compilePart(part: Field, idTypeOf: IdTypeOf = () => idType): FieldType {
  const type = part instanceof RelationField ? part.compilePart(idTypeOf(part.target)) : part.compile(idTypeOf)
  if (part.traits.validations.length === 0) return type
  const { input, output } = type.jsonSchema
  return { ...type, jsonSchema: Object.freeze({ input: checkedByServer(input, ["function"]), output }) }
}

/** Returns what the author says about a field that is part of another field. */
export function partPresentation({ traits }: Field): FieldPresentation {
  const { label, description, placeholder, width, visible } = traits
  return Object.freeze({ label, description, placeholder, width, visible })
}

/**
 * Returns the mistakes in a field that is part of another field. `named` is the phrase for the part in the messages,
 * such as "its items".
 */
export function findPartMistakes(named: string, part: unknown): readonly string[] {
  if (!(part instanceof Field)) return [`declares ${named} without a field. Write a call such as f.text().`]
  const own = part.mistakes()
  if (own.length > 0) return own.map((mistake) => `has a mistake in ${named}: ${mistake}`)
  const { unique, index, containsIndex, localized, hidden, readOnly, access, validations, collaborative } = part.traits
  const mistakes: string[] = []
  if (part instanceof ToManyField)
    mistakes.push(
      `makes ${named} a relation to many records. Use a list of relations, f.array(f.relation("${part.target}")), or declare the relation as a field.`,
    )
  if (part instanceof RelationField) mistakes.push(...findReferenceMistakes(named, part))
  if (isDerived(part.compile())) mistakes.push(`computes ${named}. Declare the computed value as a separate field.`)
  const said = { unique, index: index || containsIndex, localized, hidden, readOnly, access: access !== undefined }
  for (const [modifier, isSaid] of Object.entries(said)) {
    if (isSaid) mistakes.push(`has .${modifier}() on ${named}. Use it on the whole field.`)
  }
  if (collaborative)
    mistakes.push(
      `has .collaborative() on ${named}. Only a whole field is collaborative: declare it as a separate field.`,
    )
  if (!validations.every(isValidation))
    mistakes.push(`has a .validate(…) of ${named} that is given neither a function nor a Standard Schema.`)
  return mistakes
}

function findReferenceMistakes(named: string, { rules, traits }: RelationField): readonly string[] {
  return [
    ...(rules.onDelete === "cascade"
      ? [`has .onDelete("cascade") on ${named}, which would delete the whole record. Use "restrict" or "setNull".`]
      : []),
    ...(traits.default === undefined ? [] : [`has .default() on ${named}, which is a relation. Remove it.`]),
  ]
}
