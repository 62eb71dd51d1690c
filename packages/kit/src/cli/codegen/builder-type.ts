import { ACCESS_OPERATIONS } from "../../schema/access.ts"
import { interfaceText } from "./interface-text.ts"

/**
 * What `collection(name)` gives: the builder with the types of the collection written out, so that a compiler has nothing to
 * work out. Only where fields have types that the author's file alone knows does it follow what that file declares.
 */
export function builderType(name: string, hasDeclared: boolean): string {
  return [...accessTypes(name), hasDeclared ? declaringBuilder(name) : plainBuilder(name)].join("\n\n")
}

function accessTypes(name: string): string[] {
  const uncapitalized = name
  const members = ACCESS_OPERATIONS.map((operation) => ({ name: operation, type: `${name}Rule`, isOptional: true, isReadonly: true }))
  return [
    `export type ${name}Verdict = true | ${name}Where | Denied`,
    `export type ${name}Rule = boolean | ((context: AccessContext<"${uncapitalized}">) => ${name}Verdict | Promise<${name}Verdict>)`,
    interfaceText(`${name}Access`, members),
  ]
}

function plainBuilder(name: string): string {
  return `export interface ${name}Collection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<${name}Record> }) => DeclaredFields): ${name}Collection
  title(field: keyof ${name}Change): ${name}Collection
  access(rules: ${name}Access): ${name}Collection
  hooks(hooks: HooksOf<${name}Resource>): ${name}Collection
  options(options: ResourceOptions): ${name}Collection
}`
}

function declaringBuilder(name: string): string {
  return `export interface ${name}Collection<Declared = unknown> extends CollectionSteps {
  readonly declared: Declared
  fields<Given extends DeclaredFields>(declare: (tools: { f: FieldSet<${name}Readable> }) => Given): ${name}Collection<Given>
  title(field: keyof ${name}Change): ${name}Collection<Declared>
  access(rules: ${name}Access): ${name}Collection<Declared>
  hooks(hooks: HooksOf<Whole<${name}Resource, Declared>>): ${name}Collection<Declared>
  options(options: ResourceOptions): ${name}Collection<Declared>
}`
}
