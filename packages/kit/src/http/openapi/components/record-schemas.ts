import { type ResourceField, toManyOf } from "../../../schema/compile/resource.ts"
import { nullable } from "../../../schema/json-schema/object-schema.ts"
import { COUNT } from "../../../wire/options/query-options.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { FLAG, listOf, objectOf, orNull, TEXT, WHOLE_NUMBER } from "../schema-parts.ts"
import { componentName } from "./component-names.ts"
import { openRelation, openRelations, type SchemaContext, withDescription } from "./described-fields.ts"
import { documentSchema } from "./value-schemas.ts"

/** Returns a reference to the schema of a record in an answer. */
export function recordSchema(context: SchemaContext): JsonSchema {
  const { components, described } = context
  return components.refer(componentName(described.resource, "Record"), () => makeRecord(context))
}

/** Returns a reference to the schema of a version: the fields that the record had, and those of the version. */
export function versionSchema(context: SchemaContext): JsonSchema {
  const { components, described } = context
  const { resource } = described
  return components.refer(componentName(resource, "Version"), () => {
    const own = resource.versions?.answerFields ?? []
    // Versions of anonymous callers have no user, and those of the working copy no stage.
    const fields = own.map(({ name, type }) => {
      const value = documentSchema(type.jsonSchema.output, components)
      return [name, name === "versionUserId" || name === "versionStage" ? nullable(value) : value] as const
    })
    const version = { type: "object", properties: Object.fromEntries(fields), required: own.map(({ name }) => name) }
    return { allOf: [recordSchema(context), version] }
  })
}

/** Returns a reference to the schema of a page of records. */
export function pageSchema(context: SchemaContext): JsonSchema {
  const name = componentName(context.described.resource, "Page")
  return context.components.refer(name, () => pageOf(context, recordSchema(context)))
}

/** Returns a reference to the schema of a page of versions. */
export function versionPageSchema(context: SchemaContext): JsonSchema {
  const name = componentName(context.described.resource, "Versions")
  return context.components.refer(name, () => pageOf(context, versionSchema(context)))
}

function pageOf({ components }: SchemaContext, docs: JsonSchema): JsonSchema {
  const position = components.refer("PagePosition", () => PAGE_POSITION)
  return { allOf: [position, objectOf({ docs: listOf(docs) })] }
}

const NUMBER_OR_NULL = orNull(WHOLE_NUMBER)
const PAGE_POSITION = {
  ...objectOf({
    totalDocs: WHOLE_NUMBER,
    "totalIs?": { enum: ["exact", "estimate", "atLeast"] },
    limit: WHOLE_NUMBER,
    totalPages: WHOLE_NUMBER,
    page: WHOLE_NUMBER,
    pagingCounter: WHOLE_NUMBER,
    hasPrevPage: FLAG,
    hasNextPage: FLAG,
    prevPage: NUMBER_OR_NULL,
    nextPage: NUMBER_OR_NULL,
    "startCursor?": orNull(TEXT),
    "endCursor?": orNull(TEXT),
  }),
  description:
    "The position of a page in the whole result. Without a total, totalDocs and totalPages are -1. A page that was read by after or before has cursors, and -1 as its numbers.",
}

function makeRecord(context: SchemaContext): JsonSchema {
  const { readable: fields } = context
  const values = fields.flatMap((field) => {
    const value = fieldValue(context, field)
    return value ? [[field.name, withDescription(value, field, context.texts)] as const] : []
  })
  const required = fields.filter((field) => isAlwaysThere(context, field)).map(({ name }) => name)
  const properties = { ...Object.fromEntries(values), ...countsOf(context) }
  return { type: "object", properties, ...(required.length > 0 && { required }) }
}

// A field with a rule is left out of the records in which the rule hides it, and a comparison with the public copy out of
// the public copies. Related records of a relation to many are in the answer only if the call asks for them.
function isAlwaysThere({ described }: SchemaContext, field: ResourceField): boolean {
  if (field.comparison) return false
  return toManyOf(field) === undefined && described.fields.get(field.name)?.read === true && isRecordWhole(described)
}

// True if every answer about a record has its fields. A caller who may write a record but not read it gets none.
function isRecordWhole({ operations }: SchemaContext["described"]): boolean {
  return operations.read === true || operations.read === "filtered"
}

function fieldValue(context: SchemaContext, field: ResourceField): JsonSchema | undefined {
  const relation = openRelation(context, field)
  if (relation?.isToMany) return listOf(recordSchema(relation.target))
  if (toManyOf(field)) return undefined
  if (relation === undefined) return answeredValue(context, field)
  // The id, or the related record if the call asks for it: null if the caller may not read it.
  return { anyOf: [idValue(context, field), recordSchema(relation.target), { type: "null" }] }
}

function answeredValue({ described, components }: SchemaContext, field: ResourceField): JsonSchema {
  const { resource, stages } = described
  if (field === resource.workflow?.stage) return { enum: [...stages] }
  const value = field.target ? idValue({ components }, field) : documentSchema(field.type.jsonSchema.output, components)
  // A localized value may be missing in the locale of the call, even if the field is required.
  return field.required && field.localized === undefined ? value : nullable(value)
}

function idValue({ components }: Pick<SchemaContext, "components">, { target, type }: ResourceField): JsonSchema {
  return documentSchema((target?.id.type ?? type).jsonSchema.output, components)
}

function countsOf(context: SchemaContext): Readonly<Record<string, JsonSchema>> {
  const counted = openRelations(context).filter(({ isToMany }) => isToMany)
  if (counted.length === 0) return {}
  return { [COUNT]: objectOf(Object.fromEntries(counted.map(({ field }) => [`${field.name}?`, WHOLE_NUMBER]))) }
}
