import { ACCESS_OPERATIONS } from "../../schema/access/access.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { isFacet, textFormOf } from "../../schema/search/searched-text.ts"
import type { TypeContext } from "./field-types.ts"
import { interfaceText, type Member } from "./interface-text.ts"
import { stageNames } from "./resource-types.ts"
import { type TypeNames, typeName } from "./type-names.ts"

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
    interfaceText(`${name}Referrers`, referrersOf(resource, names)),
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
  const fields = `fields(declare: (tools: { f: FieldSet<${name}Record, ${name}Referrers> }) => DeclaredFieldsOf<${name}Where>): ${self}`
  return `export interface ${self} extends ${stepsOf(resource)} {
  ${[fields, ...otherSteps(resource, { name, self, handedOn: "" })].join("\n  ")}
}`
}

function declaringBuilder(name: string, resource: Resource): string {
  const builder = builderName(name, resource)
  const fields = `fields<Given extends DeclaredFieldsOf<${name}Where>>(declare: (tools: { f: FieldSet<${name}Readable, ${name}Referrers> }) => Given): ${builder}<Given>`
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
    ...(kind === "collection" ? nameSteps(resource, { name, self, handedOn }) : []),
    `access<Rules extends ${name}Access, Checked = CheckedRules<Rules, "${resource.name}", ${name}Where>>(rules: RulesArgument<Rules, Checked>): ${self}`,
    `hooks(hooks: ${name}Hooks${handedOn}): ${self}`,
    `options(options: ResourceOptions): ${self}`,
    ...presentationSteps(resource, { name, self, handedOn }),
    ...(isIdentity ? [`privateAccess(reads: PrivateRules): ${self}`] : []),
  ]
}

// Returns the steps that take the names of the collection's own fields.
function nameSteps(resource: Resource, { name, self, handedOn }: StepNames): string[] {
  const searched = `SearchableOf<${name}Types, ${name}Row${handedOn}, With, ${searchNames(resource)}>`
  return [
    `title(field: ${unionOf(textFields(resource))}): ${self}`,
    `searchable<With = never>(searchable: ${searched}): this`,
    `indexes(indexes: readonly IndexDefinition<${unionOf(indexableFields(resource))}>[]): this`,
  ]
}

function searchNames({ fields }: Resource): string {
  const readable = [...fields.values()].filter(({ access }) => access.read !== false)
  const shown = readable.filter(({ hidden }) => !hidden)
  const names = {
    field: readable.filter((field) => textFormOf(field) !== undefined),
    title: shown.filter((field) => field.isStored && field.type.operators === "text"),
    facet: shown.filter(isFacet),
  }
  const members = Object.entries(names).map(([member, named]) => `${member}: ${unionOf(named)}`)
  return `{ ${members.join("; ")} }`
}

// Returns the steps that describe the resource for people. The record of a preview has no fields whose types only the
// author's file declares, because the type of that file would then depend on itself.
function presentationSteps(resource: Resource, { name, self, handedOn }: StepNames): string[] {
  const record = handedOn === "" ? `${name}Record` : `${name}Readable`
  return [
    ...(resource.kind === "collection" ? [`list(list: ListOf<${name}Types>): ${self}`] : []),
    `form(layout: FormOf<${name}Types>): ${self}`,
    `preview(urlOf: PreviewOf<${record}, ${stageNames(resource) ?? "never"}>): ${self}`,
  ]
}

function textFields({ fields }: Resource): ResourceField[] {
  return [...fields.values()].filter(({ type, system }) => type.operators === "text" && !system)
}

function indexableFields({ fields, id, revision, workflow }: Resource): ResourceField[] {
  const others = new Set([id, revision, workflow?.stage])
  return [...fields.values()].filter((field) => field.isStored && !others.has(field))
}

function unionOf(fields: readonly ResourceField[]): string {
  return fields.length === 0 ? "never" : fields.map(({ name }) => JSON.stringify(name)).join(" | ")
}

// Returns the fields that refer to the resource, by the collection that declares them: the names for `via`.
function referrersOf(resource: Resource, names: TypeNames): Member[] {
  const collections = [...names.keys()].filter(({ kind }) => kind === "collection")
  return collections.flatMap((other) => {
    const referring = [...other.fields.values()].filter(({ target }) => target === resource)
    return referring.length === 0 ? [] : [{ name: other.name, type: unionOf(referring) }]
  })
}
