import { Field } from "../../builders/field.ts"
import type { FieldMember, FieldType, IdTypeOf } from "../../compile/field-type.ts"
import { compilePart, partPresentation } from "../part.ts"

/** The members of an object or of a block, by name, as an author declares them. */
export type Members = Readonly<Record<string, Field>>

/** A compiled member of an object or of a block. */
export interface Member extends FieldMember {
  readonly traits: Field["traits"]
}

/** Compiles the members. The check of the app's definition reports a member that is not a field. */
export function compileMembers(members: Members, idTypeOf?: IdTypeOf): Member[] {
  return Object.entries(members ?? {}).flatMap(([name, member]) =>
    member instanceof Field ? [{ name, ...compileMember(member, idTypeOf) }] : [],
  )
}

function compileMember(member: Field, idTypeOf: IdTypeOf | undefined): Omit<Member, "name"> {
  const { traits } = member
  return {
    type: compilePart(member, idTypeOf),
    required: traits.required,
    isOptional: !traits.required || traits.default !== undefined,
    presentation: partPresentation(member),
    traits,
  }
}

/** Returns the TypeScript declarations of the members in an answer, such as `street: string | null`. */
export function outputDeclarations(members: readonly FieldMember[]): readonly string[] {
  return members.map(({ name, type, required }) => `${name}: ${type.typescript.output}${required ? "" : " | null"}`)
}

/** Returns the TypeScript declarations of the members in an input. */
export function inputDeclarations(members: readonly FieldMember[]): readonly string[] {
  return members.map(
    (member) =>
      `${member.name}${member.isOptional ? "?" : ""}: ${member.type.typescript.input}${member.required ? "" : " | null"}`,
  )
}

/** Returns the type tags of the members in extended JSON, by path. */
export function extendedMembers(members: readonly FieldMember[]): NonNullable<FieldType["extendedParts"]> {
  return Object.assign({}, ...members.map(extendedMember))
}

function extendedMember({ name, type }: FieldMember): NonNullable<FieldType["extendedParts"]> {
  if (type.extended) return { [name]: type.extended }
  return Object.fromEntries(Object.entries(type.extendedParts ?? {}).map(([path, tag]) => [`${name}.${path}`, tag]))
}
