import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { ANY_OBJECT, FLAG, listOf, mapOf, objectOf, orNull, TEXT, TEXT_OR_NULL, WHOLE_NUMBER } from "../schema-parts.ts"
import type { Components } from "./components.ts"

const TEXTS = listOf(TEXT)
const KIND: JsonSchema = { enum: ["collection", "global"] }
const OBJECT_OR_NULL = orNull(ANY_OBJECT)

// A verdict of the rules: true, false or "filtered".
const ALLOWED: JsonSchema = { enum: [true, false, "filtered"] }

const STAGE_MEMBERS = { name: TEXT, label: TEXT, description: TEXT_OR_NULL, color: TEXT_OR_NULL, transitions: TEXTS }
const WORKFLOW: JsonSchema = {
  anyOf: [
    objectOf({ enabled: { const: false } }),
    objectOf({
      enabled: { const: true },
      initialStage: TEXT_OR_NULL,
      publicStage: TEXT,
      stages: listOf(objectOf(STAGE_MEMBERS)),
    }),
  ],
}

const META: JsonSchema = objectOf({
  name: TEXT,
  kind: KIND,
  label: TEXT,
  singularLabel: TEXT,
  title: {
    anyOf: [
      objectOf({ defined: { const: true }, type: { const: "field" }, fieldName: TEXT }),
      objectOf({ defined: { const: false } }),
    ],
  },
  fields: listOf(objectOf({ name: TEXT, localized: FLAG, virtual: FLAG })),
  localizedFields: TEXTS,
  virtualFields: TEXTS,
  relations: TEXTS,
  timestamps: FLAG,
  softDelete: FLAG,
  versioning: FLAG,
  revision: FLAG,
  id: { enum: ["server", "client"] },
  upload: orNull(objectOf({ maxSize: WHOLE_NUMBER, types: orNull(TEXTS) })),
  search: orNull(objectOf({ facets: TEXTS })),
  workflow: WORKFLOW,
})

const FIELD: JsonSchema = objectOf({
  name: TEXT,
  type: TEXT,
  label: TEXT,
  description: TEXT_OR_NULL,
  placeholder: TEXT_OR_NULL,
  required: FLAG,
  limits: ANY_OBJECT,
  "numberType?": { enum: ["integer", "bigint", "double", "decimal"] },
  "vocabulary?": objectOf({ nodes: TEXTS, marks: TEXTS }),
  "options?": listOf(objectOf({ value: TEXT, label: TEXT, color: TEXT_OR_NULL })),
  "fields?": mapOf(ANY_OBJECT),
  "items?": ANY_OBJECT,
  "blocks?": mapOf(ANY_OBJECT),
  localized: FLAG,
  unique: FLAG,
  collaborative: FLAG,
  readOnly: FLAG,
  "valueType?": TEXT_OR_NULL,
  "default?": {},
  operators: TEXTS,
  sortable: FLAG,
  groupable: FLAG,
  searchable: FLAG,
  width: TEXT_OR_NULL,
  visible: OBJECT_OR_NULL,
  access: objectOf({ read: ALLOWED, create: ALLOWED, update: ALLOWED }),
})

const RELATION: JsonSchema = objectOf({
  type: { enum: ["belongsTo", "hasMany", "manyToMany"] },
  targetCollection: TEXT_OR_NULL,
  titleField: TEXT_OR_NULL,
  onDelete: { enum: ["restrict", "setNull", "cascade", null] },
  via: TEXT_OR_NULL,
  "ordered?": { const: true },
})

/** Returns a reference to the schema of a short description of a collection or global. */
export function metaSchema(components: Components): JsonSchema {
  return components.refer("Meta", () => META)
}

/** Returns a reference to the schema of a full description of a collection or global. */
export function descriptionSchema(components: Components): JsonSchema {
  return components.refer("Schema", () =>
    objectOf({
      name: TEXT,
      kind: KIND,
      label: TEXT,
      singularLabel: TEXT,
      description: TEXT_OR_NULL,
      icon: TEXT_OR_NULL,
      group: TEXT_OR_NULL,
      fields: mapOf(FIELD),
      relations: mapOf(RELATION),
      access: objectOf({ visible: { const: true }, level: ALLOWED, operations: mapOf(ALLOWED) }),
      workflow: orNull(objectOf({ stages: listOf(objectOf({ ...STAGE_MEMBERS, access: ALLOWED })) })),
      options: metaSchema(components),
      list: objectOf({ columns: TEXTS, orderBy: OBJECT_OR_NULL, filters: TEXTS, views: listOf(ANY_OBJECT) }),
      form: orNull(listOf({})),
      preview: FLAG,
      validation: objectOf({ insert: OBJECT_OR_NULL, update: OBJECT_OR_NULL }),
      hash: TEXT,
    }),
  )
}

/** Returns a reference to the schema of what the caller may do with one record. */
export function accessSchema(components: Components): JsonSchema {
  return components.refer("RecordAccess", () => RECORD_ACCESS)
}

const RECORD_ACCESS: JsonSchema = objectOf({
  operations: mapOf(FLAG),
  fields: mapOf(objectOf({ read: FLAG, update: FLAG })),
  transitions: TEXTS,
})

/** The schema of what the caller may do with each of several records. */
export const RECORDS_ACCESS_SCHEMA: JsonSchema = listOf(orNull(RECORD_ACCESS))

/** The schema of the index of an app. */
export const INDEX_SCHEMA: JsonSchema = objectOf({
  name: TEXT,
  locale: TEXT,
  locales: objectOf({ default: TEXT, all: TEXTS }),
  limits: mapOf({ type: "number" }),
  user: orNull(objectOf({ id: TEXT, name: TEXT_OR_NULL, role: TEXT_OR_NULL })),
  console: FLAG,
  resources: listOf(
    objectOf({
      name: TEXT,
      kind: KIND,
      label: TEXT,
      singularLabel: TEXT,
      icon: TEXT_OR_NULL,
      group: TEXT_OR_NULL,
      title: TEXT_OR_NULL,
      columns: TEXTS,
      access: mapOf(ALLOWED),
      hash: TEXT,
    }),
  ),
})
