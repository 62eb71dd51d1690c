import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import { type DeclaredField, type DefaultFunction, Field } from "../builders/field.ts"
import {
  combinePartProblems,
  type FieldMember,
  type FieldType,
  isProblem,
  NO_LIMITS,
  type Parsed,
  type PartCheck,
  type PartProblem,
  problemsAt,
  type ValueSource,
} from "../compile/field-type.ts"
import { findNameProblem } from "../compile/names.ts"
import type { Validation } from "../compile/validation.ts"
import { checkedByServer } from "../json-schema/checked-by-server.ts"
import { nullable, objectSchema, withoutNull } from "../json-schema/object-schema.ts"
import { isPlainObject, parseJsonOperand, parseJsonText, toJsonText } from "./json.ts"
import { compilePart, findPartMistakes, partPresentation } from "./part.ts"

type Members = Readonly<Record<string, Field>>

export interface DeclaredMembers {
  readonly [name: string]: DeclaredField
}

interface ObjectRules {
  readonly members: Members
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

  override compile(): FieldType {
    const members = compileMembers(this.rules.members)
    return {
      name: "object",
      sqlType: "jsonb",
      operators: "json",
      typescript: {
        output: `{ ${members.map(outputMember).join("; ")} }`,
        input: `{ ${members.map(inputMember).join("; ")} }`,
      },
      jsonSchema: Object.freeze({ input: inputSchemaOf(members), output: outputSchemaOf(members) }),
      limits: NO_LIMITS,
      members: Object.freeze(members),
      extendedParts: Object.assign({}, ...members.map(extendedMember)),
      parse: (value, source) => parseMembers(members, value, source),
      parseOperand: parseJsonOperand,
      parseText: parseJsonText,
      toSql: toJsonText,
      fromJson: (json) => readMembers(members, json),
      checkParts: (value) => members.flatMap((member) => checksOf(member, value)),
    }
  }

  override mistakes(): readonly string[] {
    const { members } = this.rules
    if (!isPlainObject(members) || Object.keys(members).length === 0)
      return ["has no parts. Give at least one: f.object({ street: f.text() })."]
    return Object.entries(members).flatMap(([name, member]) => {
      const problem = findNameProblem(name)
      const mistakes = [...findPartMistakes(`its part "${name}"`, member), ...findDefaultMistake(name, member)]
      return problem === undefined ? mistakes : [`has a part with an invalid name: ${problem}`, ...mistakes]
    })
  }
}

function findDefaultMistake(name: string, member: Field): string[] {
  if (!(member instanceof Field) || member.mistakes().length > 0) return []
  const { default: value } = member.traits
  if (typeof value === "function") return isPlainFunction(value) ? [] : [partDefaultMistake(name)]
  if (value === undefined) return []
  const parsed = member.compile().parse(value)
  return isProblem(parsed) ? [`has a default of its part "${name}" that does not fit: ${parsed.problem}`] : []
}

// True if the function can be called without the context, and returns its value without a promise.
function isPlainFunction(make: { readonly length: number }): boolean {
  return make.length === 0 && Object.prototype.toString.call(make) !== "[object AsyncFunction]"
}

function partDefaultMistake(name: string): string {
  return `has a default of its part "${name}" that takes the context or is async. Only the default of a whole field can.`
}

interface Member extends FieldMember {
  readonly traits: Field["traits"]
}

// Compiles an object's members. The check of the app's definition reports a member that is not a field.
function compileMembers(members: Members): Member[] {
  return Object.entries(members ?? {}).flatMap(([name, member]) =>
    member instanceof Field ? [compileMember(name, member)] : [],
  )
}

function compileMember(name: string, member: Field): Member {
  const { traits } = member
  return { name, type: compilePart(member), required: traits.required, presentation: partPresentation(member), traits }
}

// A required member without a default has to be sent. A required member with a default may be left out, but not null.
function inputSchemaOf(members: readonly Member[]): JsonSchema {
  return objectSchema(
    members.map(({ name, type, traits }) => ({
      name,
      schema: traits.required ? requiredInput(type, traits) : nullable(type.jsonSchema.input),
      isRequired: traits.required && traits.default === undefined,
    })),
  )
}

function requiredInput({ jsonSchema: { input } }: FieldType, traits: Field["traits"]): JsonSchema {
  return checkedByServer(withoutNull(input), typeof traits.default === "function" ? ["function"] : [])
}

function outputSchemaOf(members: readonly Member[]): JsonSchema {
  return objectSchema(
    members.map(({ name, type: { jsonSchema }, required }) => ({
      name,
      schema: required ? jsonSchema.output : nullable(jsonSchema.output),
      isRequired: true,
    })),
  )
}

function outputMember({ name, type, traits }: Member): string {
  return `${name}: ${type.typescript.output}${traits.required ? "" : " | null"}`
}

function inputMember({ name, type, traits }: Member): string {
  const isOptional = !traits.required || traits.default !== undefined
  return `${name}${isOptional ? "?" : ""}: ${type.typescript.input}${traits.required ? "" : " | null"}`
}

function extendedMember({ name, type }: Member): NonNullable<FieldType["extendedParts"]> {
  if (type.extended) return { [name]: type.extended }
  return Object.fromEntries(Object.entries(type.extendedParts ?? {}).map(([path, tag]) => [`${name}.${path}`, tag]))
}

// Parses an object's members. A member without a value becomes null, so that stored JSON always has the same keys.
function parseMembers(members: readonly Member[], value: unknown, source: ValueSource | undefined): Parsed {
  if (!isPlainObject(value)) return { problem: "Expected an object." }
  const problems = unknownParts(members, value)
  const parsed: Record<string, unknown> = {}
  for (const member of members) {
    const result = parseMember(member, value, source)
    if (isProblem(result)) problems.push(...problemsAt(member.name, result))
    else parsed[member.name] = result.value
  }
  const [first, ...others] = problems
  return first ? combinePartProblems([first, ...others]) : { value: parsed }
}

function unknownParts(members: readonly Member[], value: Readonly<Record<string, unknown>>): PartProblem[] {
  const known = new Set(members.map(({ name }) => name))
  const unknown = Object.keys(value).filter((name) => !known.has(name) && value[name] !== undefined)
  return unknown.map((name) => ({ path: name, problem: `There is no field "${name}".${didYouMean(name, known)}` }))
}

function parseMember(
  { name, type, traits }: Member,
  object: Readonly<Record<string, unknown>>,
  source: ValueSource | undefined,
): Parsed {
  const given = Object.hasOwn(object, name) ? object[name] : undefined
  const value = given === undefined ? defaultOf(traits) : given
  if (value !== undefined && value !== null) return type.parse(value, source)
  return traits.required ? { problem: "Required." } : { value: null }
}

function defaultOf({ default: value }: Field["traits"]): unknown {
  return typeof value === "function" ? value() : value
}

// Reads an object from stored JSON. Members that were declared after the record was written become null.
function readMembers(members: readonly Member[], json: unknown): unknown {
  if (!isPlainObject(json)) return json
  const read: Record<string, unknown> = {}
  for (const { name, type } of members) {
    const part = json[name] ?? null
    read[name] = part !== null && type.fromJson ? type.fromJson(part) : part
  }
  return read
}

function checksOf({ name, type, traits }: Member, object: unknown): PartCheck[] {
  // The cast is safe: the function is called only with an object that this type has parsed.
  const value = (object as Readonly<Record<string, unknown>>)[name]
  if (value === null) return []
  const inner = type.checkParts?.(value) ?? []
  return [
    ...traits.validations.map((validation) => ({ path: name, value, validation })),
    ...inner.map((check) => ({ ...check, path: `${name}.${check.path}` })),
  ]
}
