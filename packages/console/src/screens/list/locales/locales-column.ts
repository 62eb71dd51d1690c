import type { CollectionSchema, FieldSchema } from "kit/client"

/** The column of language marks. No field has a name that begins with an underscore. */
export const LOCALES_COLUMN = "_locales"

/** Returns the localized fields that the person may read. */
export function localizedFields({ options, fields }: CollectionSchema): readonly FieldSchema[] {
  return options.localizedFields.flatMap((name) => {
    const field = fields[name]
    return field === undefined || field.access.read === false ? [] : [field]
  })
}

interface LocalesColumn {
  readonly label: string
  /** The number of languages. */
  readonly count: number
}

/** Adds the column of language marks to a description, as a field that only lists know. */
export function withLocalesColumn(schema: CollectionSchema, { label, count }: LocalesColumn): CollectionSchema {
  const column: FieldSchema = {
    name: LOCALES_COLUMN,
    type: "locales",
    label,
    description: null,
    placeholder: null,
    required: false,
    width: null,
    visible: null,
    limits: { maxItems: count },
    localized: false,
    unique: false,
    collaborative: false,
    readOnly: true,
    operators: [],
    sortable: false,
    groupable: false,
    searchable: false,
    access: { read: true, create: false, update: false },
  }
  return { ...schema, fields: { ...schema.fields, [LOCALES_COLUMN]: column } }
}
