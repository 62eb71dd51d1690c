import { QUERY_LIMITS, READ_OPTION_NAMES } from "../../../wire/options/query-options.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { optionSchemas } from "../option-parameters.ts"
import { ID, listOf, MOMENT, objectOf, TEXT, TEXT_OR_NULL, WHOLE_NUMBER } from "../schema-parts.ts"
import { aggregateSchema, aggregatesSchema } from "./aggregate-schemas.ts"
import { componentName } from "./component-names.ts"
import { type SchemaContext, writableFields } from "./described-fields.ts"
import { createSchema, updateSchema } from "./input-schemas.ts"
import { accessSchema, descriptionSchema, metaSchema } from "./introspection-schemas.ts"
import { whereSchema } from "./read-schemas.ts"
import { pageSchema, recordSchema, versionPageSchema, versionSchema } from "./record-schemas.ts"

/** The schemas of the bodies and answers of a resource's calls. Each is made only if a call uses it. */
export interface ResourceSchemas {
  record(): JsonSchema
  page(): JsonSchema
  versions(): JsonSchema
  create(): JsonSchema
  update(): JsonSchema
  where(): JsonSchema
  query(): JsonSchema
  aggregate(): JsonSchema
  aggregates(): JsonSchema
  batch(): JsonSchema
  change(): JsonSchema
  revert(): JsonSchema
  transition(): JsonSchema
  pendingTransition(): JsonSchema
  upload(): JsonSchema
  meta(): JsonSchema
  schema(): JsonSchema
  access(): JsonSchema
}

export function resourceSchemas(context: SchemaContext): ResourceSchemas {
  return {
    record: () => recordSchema(context),
    page: () => pageSchema(context),
    // A call with a cursor gets a page.
    versions: () => ({ anyOf: [listOf(versionSchema(context)), versionPageSchema(context)] }),
    create: () => createSchema(context),
    update: () => updateSchema(context),
    where: () => whereSchema(context),
    query: () => querySchema(context),
    aggregate: () => aggregateSchema(context.components, optionSchemas(context, SHARED_OPTIONS)),
    aggregates: () => aggregatesSchema(context.components),
    batch: () => batchSchema(context),
    change: () => objectOf(expectedIn(context)),
    revert: () => revertSchema(context),
    transition: () => transitionSchema(context),
    pendingTransition: () => pendingTransitionSchema(context),
    upload: () => uploadSchema(context),
    meta: () => metaSchema(context.components),
    schema: () => descriptionSchema(context.components),
    access: () => accessSchema(context.components),
  }
}

// The options that an aggregate has in common with other reads.
const SHARED_OPTIONS = ["where", "search", "includeDeleted", "locale", "localeFallback", "stage"] as const

function querySchema(context: SchemaContext): JsonSchema {
  const { components, described } = context
  return components.refer(componentName(described.resource, "Query"), () => ({
    type: "object",
    properties: optionSchemas(context, READ_OPTION_NAMES.find),
  }))
}

function batchSchema(context: SchemaContext): JsonSchema {
  const { id } = context.described.resource
  const update = objectOf({ id: id.type.jsonSchema.input, data: updateSchema(context), ...expectedIn(context) })
  return objectOf({ updates: { ...listOf(update), maxItems: QUERY_LIMITS.maxBulkRows } })
}

// The member that names the revision which the record must still have. A resource without revisions does not have it.
function expectedIn({ described: { resource } }: SchemaContext): Readonly<Record<string, JsonSchema>> {
  return resource.revision ? { "expectedRevision?": { ...WHOLE_NUMBER, minimum: 1 } } : {}
}

function revertSchema(context: SchemaContext): JsonSchema {
  const expected = expectedIn(context)
  return {
    oneOf: [
      objectOf({ version: { ...WHOLE_NUMBER, minimum: 1 }, ...expected }),
      objectOf({ versionId: ID, ...expected }),
    ],
  }
}

function openStages({ described }: SchemaContext): readonly string[] {
  return [...described.transitions].filter(([, allowed]) => allowed !== false).map(([stage]) => stage)
}

function transitionSchema(context: SchemaContext): JsonSchema {
  return objectOf({ stage: { enum: openStages(context) }, "scheduledAt?": MOMENT, ...expectedIn(context) })
}

function pendingTransitionSchema(context: SchemaContext): JsonSchema {
  return objectOf({ stage: { enum: openStages(context) }, scheduledAt: MOMENT, userId: TEXT_OR_NULL })
}

// In a form every value is text; lists and objects are JSON text. So only the names of the fields are described.
function uploadSchema({ described }: SchemaContext): JsonSchema {
  const fields = writableFields(described, "create")
  const texts = Object.fromEntries(fields.map(({ name }) => [`${name}?`, TEXT]))
  return objectOf({ ...texts, file: { type: "string", format: "binary" }, "path?": TEXT })
}
