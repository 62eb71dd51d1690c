/** A JSON Schema of the dialect 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The URI of the dialect, which stands in `$schema`. */
export const JSON_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"
