import { ACCESS_OPERATIONS } from "../../schema/access.ts"
import type { Resource } from "../../schema/resource.ts"
import type { TypeContext } from "./field-types.ts"
import { interfaceText } from "./interface-text.ts"
import { typeName } from "./type-names.ts"

/** How the builder of a resource is called. */
export function builderName(name: string, { kind }: Resource): string {
  return name + (kind === "collection" ? "Collection" : "Global")
}

/**
 * What `collection(name)`, `global(name)` or `users()` gives: the builder with the types of the resource written out, so that
 * a compiler has nothing to work out. Only where the author's file alone knows the types of some fields does the builder
 * follow what that file declares.
 */
export function builderType({ resource, names }: TypeContext, hasDeclared: boolean): string {
  const name = typeName(names, resource)
  return [
    ...ruleTypes(name, resource),
    hasDeclared ? declaringBuilder(name, resource) : plainBuilder(name, resource),
  ].join("\n\n")
}

function ruleTypes(name: string, resource: Resource): string[] {
  const context = `AccessContext<"${resource.name}">`
  const rules = ACCESS_OPERATIONS.map((operation) => ({ name: operation, type: `${name}Rule`, isOptional: true }))
  return [
    `export type ${name}Verdict = true | ${name}Where | Denied`,
    `export type ${name}Rule = boolean | ((context: ${context}) => ${name}Verdict | Promise<${name}Verdict>)`,
    interfaceText(`${name}Access`, rules),
  ]
}

function plainBuilder(name: string, resource: Resource): string {
  const self = builderName(name, resource)
  const fields = `fields(declare: (tools: { f: FieldSet<${name}Record> }) => DeclaredFields): ${self}`
  return `export interface ${self} extends ${stepsOf(resource)} {
  ${[fields, ...otherSteps(resource, { name, self, types: `${name}Resource` })].join("\n  ")}
}`
}

function declaringBuilder(name: string, resource: Resource): string {
  const builder = builderName(name, resource)
  const self = `${builder}<Declared>`
  const fields = `fields<Given extends DeclaredFields>(declare: (tools: { f: FieldSet<${name}Readable> }) => Given): ${builder}<Given & ${name}Declared>`
  const steps = otherSteps(resource, { name, self, types: `${name}Resource<Declared>` })
  return `export interface ${builder}<Declared extends ${name}Declared = ${name}Declared> extends ${stepsOf(resource)} {
  ${["readonly declared: Declared", fields, ...steps].join("\n  ")}
}`
}

function stepsOf({ kind }: Resource): string {
  return kind === "collection" ? "CollectionSteps" : "ResourceSteps"
}

interface StepNames {
  readonly name: string
  readonly self: string
  readonly types: string
}

function otherSteps(resource: Resource, { name, self, types }: StepNames): string[] {
  const { kind, isIdentity } = resource
  return [
    ...(kind === "collection" ? [`title(field: ${textNames(resource)}): ${self}`] : []),
    `access(rules: ${name}Access): ${self}`,
    `hooks(hooks: HooksOf<${types}>): ${self}`,
    `options(options: ResourceOptions): ${self}`,
    ...(isIdentity ? [`privateAccess(reads: PrivateRules): ${self}`] : []),
  ]
}

function textNames({ fields }: Resource): string {
  const texts = [...fields.values()].filter(({ type, system }) => type.operators === "text" && !system)
  return texts.length === 0 ? "never" : texts.map(({ name }) => JSON.stringify(name)).join(" | ")
}
