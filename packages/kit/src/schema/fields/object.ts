import { type DeclaredField, type DefaultFunction, Field } from "../builders/field.ts"
import {
  combinePartProblems,
  type FieldType,
  type IdTypeOf,
  NO_LIMITS,
  type Parsed,
  type ValueSource,
} from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"
import { objectSchema } from "../json-schema/object-schema.ts"
import { isPlainObject, parseJsonOperand, parseJsonText, toJsonText } from "./json.ts"
import {
  compileMembers,
  extendedMembers,
  inputDeclarations,
  type Member,
  type Members,
  outputDeclarations,
} from "./members/compile-members.ts"
import { findMemberMistakes } from "./members/member-mistakes.ts"
import { inputProperties, outputProperties } from "./members/member-schemas.ts"
import { checksOfMembers, parseMembers, readMembers, withIdsInMembers } from "./members/parse-members.ts"
import { referencesOfMembers } from "./members/part-references.ts"

interface ObjectRules {
  readonly members: Members
}

export interface DeclaredMembers {
  readonly [name: string]: DeclaredField
}

/** The input type of an object field with these members. */
export type ObjectValue<Given extends DeclaredMembers> = {
  readonly [Name in keyof Given]?: Given[Name]["value"] | null
}

/** A field whose value is an object with named members. Each member has its own field type. */
export class ObjectField<Value = unknown> extends Field<unknown, ObjectRules> {
  declare readonly value: Value

  override default(value: Value | DefaultFunction<Value>): this {
    return super.default(value)
  }

  override validate(validation: Validation<Value>): this {
    // The cast is safe: the check is called only with values that this field's type has parsed.
    return super.validate(validation as Validation)
  }

  override compile(idTypeOf?: IdTypeOf): FieldType {
    const members = compileMembers(this.rules.members, idTypeOf)
    const withIds = withIdsInMembers(members)
    return {
      name: "object",
      sqlType: "jsonb",
      operators: "json",
      typescript: {
        output: `{ ${outputDeclarations(members).join("; ")} }`,
        input: `{ ${inputDeclarations(members).join("; ")} }`,
      },
      jsonSchema: Object.freeze({
        input: objectSchema(inputProperties(members)),
        output: objectSchema(outputProperties(members)),
      }),
      limits: NO_LIMITS,
      members: Object.freeze(members),
      ...referencesOfMembers(members),
      extendedParts: extendedMembers(members),
      hasUnlistedParts: members.some(({ type }) => type.hasUnlistedParts),
      parse: (value, source) => parseObject(members, value, source),
      parseOperand: parseJsonOperand,
      parseText: parseJsonText,
      toSql: toJsonText,
      fromJson: (json) => (isPlainObject(json) ? readMembers(members, json) : json),
      ...(withIds && { withIds }),
      // The cast is safe: the function is called only with an object that this type has parsed.
      checkParts: (value) => checksOfMembers(members, value as Readonly<Record<string, unknown>>),
    }
  }

  override mistakes(): readonly string[] {
    const { members } = this.rules
    if (!isPlainObject(members) || Object.keys(members).length === 0)
      return ["has no parts. Give at least one: f.object({ street: f.text() })."]
    return findMemberMistakes({ members, named: (name) => `its part "${name}"` })
  }
}

function parseObject(members: readonly Member[], value: unknown, source: ValueSource | undefined): Parsed {
  if (!isPlainObject(value)) return { problem: "Expected an object." }
  const { values, problems } = parseMembers(members, { object: value, source })
  const [first, ...others] = problems
  return first ? combinePartProblems([first, ...others]) : { value: values }
}
