import { ACCESS_OPERATIONS } from "../../schema/access/access.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { TypeContext } from "./field-types.ts"
import { interfaceText } from "./interface-text.ts"
import { typeName } from "./type-names.ts"

/** Returns the name of a resource's builder type. */
export function builderName(name: string, { kind }: Resource): string {
  return name + (kind === "collection" ? "Collection" : "Global")
}

/**
 * Returns the type that `collection(name)`, `global(name)` or `users()` returns in the author's files. The resource's
 * types are written out in full. The compiler only has to infer the types of fields, such as JSON fields, whose types
 * only the author's file declares.
 */
export function builderType({ resource, names }: TypeContext, hasDeclared: boolean): string {
  const name = typeName(names, resource)
  return [
    ...ruleTypes(name, resource),
    ...hookTypes(name, resource, hasDeclared),
    hasDeclared ? declaringBuilder(name, resource) : plainBuilder(name, resource),
  ].join("\n\n")
}

function ruleTypes(name: string, resource: Resource): string[] {
  const context = `AccessContext<"${resource.name}">`
  const rules = ACCESS_OPERATIONS.map((operation) => ({ name: operation, type: `${name}Rule`, isOptional: true }))
  return [
    `export type ${name}Rule = boolean | ((context: ${context}) => RuleResult<${name}Where>)`,
    interfaceText(`${name}Access`, rules),
  ]
}

// Writes out the types of only those hooks that most authors write. The compiler infers the types of the other hooks
// where they are used.
function hookTypes(name: string, { kind }: Resource, hasDeclared: boolean): string[] {
  const seen = hasDeclared ? "<Declared extends DeclaredFields>" : ""
  const handedOn = hasDeclared ? "<Declared>" : ""
  const row = `${name}Row${handedOn}`
  const original = kind === "global" ? `${row} | null` : row
  const checked = `CreatingContext<${name}Data${handedOn}> | ChangingContext<${name}Change${handedOn}, ${original}>`
  // `ArrayLike` instead of an array type, because the compiler would search the many members of an array type for a
  // call signature.
  const hook = (type: string) => `${type}${handedOn} | ArrayLike<${type}${handedOn}>`
  return [
    `export interface ${name}BeforeChange${seen} {\n  (context: ${checked}): void\n}`,
    `export interface ${name}AfterChange${seen} {\n  (context: ChangedContext<${row}>): void\n}`,
    interfaceText(
      `${name}Hooks${seen}`,
      [
        { name: "beforeChange", type: hook(`${name}BeforeChange`), isOptional: true },
        { name: "afterChange", type: hook(`${name}AfterChange`), isOptional: true },
      ],
      `OtherHooks<${name}Resource${handedOn}>`,
    ),
  ]
}

function plainBuilder(name: string, resource: Resource): string {
  const self = builderName(name, resource)
  const fields = `fields(declare: (tools: { f: FieldSet<${name}Record> }) => DeclaredFields): ${self}`
  return `export interface ${self} extends ${stepsOf(resource)} {
  ${[fields, ...otherSteps(resource, { name, self, handedOn: "" })].join("\n  ")}
}`
}

function declaringBuilder(name: string, resource: Resource): string {
  const builder = builderName(name, resource)
  const fields = `fields<Given extends DeclaredFields>(declare: (tools: { f: FieldSet<${name}Readable> }) => Given): ${builder}<Given>`
  const steps = otherSteps(resource, { name, self: "this", handedOn: "<Declared>" })
  return `export interface ${builder}<Declared extends DeclaredFields = DeclaredFields> extends ${stepsOf(resource)} {
  ${["readonly declared: Declared", fields, ...steps].join("\n  ")}
}`
}

function stepsOf({ kind }: Resource): string {
  return kind === "collection" ? "CollectionSteps" : "ResourceSteps"
}

interface StepNames {
  readonly name: string
  readonly self: string
  readonly handedOn: string
}

function otherSteps(resource: Resource, { name, self, handedOn }: StepNames): string[] {
  const { kind, isIdentity } = resource
  return [
    ...(kind === "collection" ? [`title(field: ${textNames(resource)}): ${self}`] : []),
    `access<Rules extends ${name}Access, Checked = CheckedRules<Rules, "${resource.name}", ${name}Where>>(rules: RulesArgument<Rules, Checked>): ${self}`,
    `hooks(hooks: ${name}Hooks${handedOn}): ${self}`,
    `options(options: ResourceOptions): ${self}`,
    ...(isIdentity ? [`privateAccess(reads: PrivateRules): ${self}`] : []),
  ]
}

function textNames({ fields }: Resource): string {
  const texts = [...fields.values()].filter(({ type, system }) => type.operators === "text" && !system)
  return texts.length === 0 ? "never" : texts.map(({ name }) => JSON.stringify(name)).join(" | ")
}
