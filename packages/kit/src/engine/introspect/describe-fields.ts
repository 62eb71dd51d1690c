import { type BlockType, type FieldMember, type FieldType, isDerived } from "../../schema/compile/field-type.ts"
import {
  isOrderedRelation,
  isSortable,
  type Resource,
  type ResourceField,
  type ResourceWorkflow,
} from "../../schema/compile/resource.ts"
import { partPath } from "../../schema/fields/members/part-tree.ts"
import { PLAIN_CHOICE, PLAIN_FIELD_PRESENTATION } from "../../schema/presentation/presentation.ts"
import { operatorNames } from "../../sql/parse/parse-where.ts"
import type {
  BlockSchema,
  FieldSchema,
  OptionSchema,
  PartSchema,
  RelationSchema,
} from "../../wire/results/introspection.ts"
import { plainValue } from "../read/answer-text.ts"
import type { FieldRights } from "./caller-rights.ts"
import { knownFields } from "./describe-meta.ts"
import type { KnownRights, KnownTarget } from "./known-rights.ts"
import type { Texts } from "./texts.ts"

/** Returns the descriptions of the fields that the caller may know, by name. */
export function describeFields(
  resource: Resource,
  known: KnownRights,
  texts: Texts,
): Readonly<Record<string, FieldSchema>> {
  const described = knownFields(resource, known).flatMap((field) => {
    const access = known.fields.get(field.name)
    return access ? [[field.name, describeField(field, { resource, known, texts, access })] as const] : []
  })
  return Object.fromEntries(described)
}

interface FieldView {
  readonly resource: Resource
  readonly known: KnownRights
  readonly texts: Texts
  readonly access: FieldRights
}

function describeField(field: ResourceField, { resource, known, texts, access }: FieldView): FieldSchema {
  const { name, type, presentation } = field
  const isReadable = access.read !== false
  const hasOrder = isReadable && isSortable(field)
  // The first write of a global is an update.
  const mayInsert = (resource.kind === "global" ? access.update : access.create) !== false
  const { visible } = presentation
  return {
    name,
    ...describePart({ name, type, presentation, required: field.required }, { field, path: name, known, texts }),
    ...(resource.workflow?.stage.name === name && { options: describeStages(resource.workflow, known, texts) }),
    localized: field.localized !== undefined,
    unique: field.unique,
    collaborative: field.collaborative !== undefined,
    readOnly: field.system || field.readOnly || isDerived(type),
    ...(isDerived(type) && { valueType: valueTypeOf(type) }),
    ...(mayInsert && defaultOf(field)),
    operators: isReadable ? operatorNames(field) : [],
    sortable: hasOrder,
    groupable: hasOrder,
    searchable: isReadable && resource.searchFields.includes(field),
    visible: visible !== undefined && known.mayKnowFilter(visible) ? visible : null,
    access,
  }
}

// Nothing is declared about the values that a function computes.
function valueTypeOf({ name, compute }: FieldType): string | null {
  return compute ? null : name
}

type DescribedPart = Omit<FieldMember, "isOptional">

/** The place of a part in the description. */
interface PartView extends Pick<FieldView, "known" | "texts"> {
  readonly field: ResourceField
  /** The names that lead to the part, as in the paths of relations. */
  readonly path: string
}

// Describes a field or a part of one: a member of an object, or the items of a list. The parts of a field have no rules of
// their own, so a caller who may know the field may know the filters of its parts.
function describePart({ name, type, presentation, required }: DescribedPart, view: PartView): PartSchema {
  const { texts } = view
  const { element, elementPresentation = PLAIN_FIELD_PRESENTATION } = type
  const item = element && { name, type: element, presentation: elementPresentation, required: true }
  return {
    type: type.name,
    label: texts.label(presentation.label, name),
    description: texts.find(presentation.description),
    placeholder: texts.find(presentation.placeholder),
    required,
    width: presentation.width ?? null,
    visible: presentation.visible ?? null,
    limits: type.limits,
    ...(type.numberType && { numberType: type.numberType }),
    ...(type.vocabulary && { vocabulary: type.vocabulary }),
    ...(type.options && { options: describeOptions(type, texts) }),
    ...(type.members && { fields: describeMembers(type.members, view) }),
    ...(item && { items: describePart(item, view) }),
    ...(type.blocks && { blocks: describeBlocks(type.blocks, view) }),
    ...describeReference(type, view),
  }
}

function describeReference(
  { references = [] }: FieldType,
  { field, path, known }: PartView,
): Pick<PartSchema, "relation"> {
  const isRelation = references.some(({ steps }) => steps.length === 0)
  const linked = isRelation && field.references.find((reference) => partPath(field.name, reference) === path)
  const target = known.relations.get(path)
  if (!linked || target === undefined) return {}
  return { relation: { ...describeTarget(linked.target, target), onDelete: linked.onDelete } }
}

function describeMembers(members: readonly FieldMember[], view: PartView): Readonly<Record<string, PartSchema>> {
  return Object.fromEntries(
    members.map((member) => [member.name, describePart(member, { ...view, path: `${view.path}.${member.name}` })]),
  )
}

function describeBlocks(blocks: ReadonlyMap<string, BlockType>, view: PartView): Readonly<Record<string, BlockSchema>> {
  const { texts } = view
  const described = [...blocks.values()].map(({ name, members, presentation }) => {
    const { label, description, icon } = presentation
    const shown = { label: texts.label(label, name), description: texts.find(description), icon: icon ?? null }
    return [name, { ...shown, fields: describeMembers(members, { ...view, path: `${view.path}.${name}` }) }] as const
  })
  return Object.fromEntries(described)
}

function describeOptions({ options = [], optionPresentations }: FieldType, texts: Texts): readonly OptionSchema[] {
  return options.map((value) => {
    const { label, color } = optionPresentations?.get(value) ?? PLAIN_CHOICE
    return { value, label: texts.label(label, value), color: color ?? null }
  })
}

// The field with the stage of a record has the stages as its options, with the texts of the stages. Like everything else,
// it names only those that the caller may know.
function describeStages({ stages }: ResourceWorkflow, known: KnownRights, texts: Texts): readonly OptionSchema[] {
  const shown = [...stages.values()].filter(({ name }) => known.stages.has(name))
  return shown.map(({ name, presentation: { label, color } }) => ({
    value: name,
    label: texts.label(label, name),
    color: color ?? null,
  }))
}

// Returns the default value as plain JSON. A function has to be called to know its value, and is left out.
function defaultOf({ default: value }: ResourceField): { readonly default?: unknown } {
  if (value === undefined || typeof value === "function") return {}
  return { default: JSON.parse(JSON.stringify(value, plainValue)) }
}

/** Returns the descriptions of the relations that the caller may know, by field name. */
export function describeRelations(resource: Resource, known: KnownRights): Readonly<Record<string, RelationSchema>> {
  const described = knownFields(resource, known).flatMap((field) => {
    const target = known.relations.get(field.name)
    const relation = target && describeRelation(field, target)
    return relation ? [[field.name, relation] as const] : []
  })
  return Object.fromEntries(described)
}

function describeRelation({ relation }: ResourceField, known: KnownTarget): RelationSchema | undefined {
  if (relation === undefined) return undefined
  const { kind, target } = relation
  return {
    type: kind,
    ...describeTarget(target, known),
    onDelete: kind === "belongsTo" ? relation.onDelete : null,
    via: kind === "hasMany" && known.hasVia ? relation.via.name : null,
    ...(isOrderedRelation(relation) && { ordered: true }),
  }
}

function describeTarget(
  { name, title }: Resource,
  { isKnown, hasTitle }: KnownTarget,
): Pick<RelationSchema, "targetCollection" | "titleField"> {
  return { targetCollection: isKnown ? name : null, titleField: hasTitle ? (title ?? null) : null }
}
