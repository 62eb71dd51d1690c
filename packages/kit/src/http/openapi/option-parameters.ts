import { QUERY_LIMITS, READ_OPTION_NAMES, type ReadKind } from "../../wire/options/query-options.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import type { SchemaContext } from "./components/described-fields.ts"
import {
  matchSchema,
  orderSchema,
  plainOrderSchema,
  plainWithSchema,
  whereSchema,
  withSchema,
} from "./components/read-schemas.ts"
import type { Parameter, Reference } from "./openapi-document.ts"
import { FLAG, objectOf, orNull, TEXT, WHOLE_NUMBER } from "./schema-parts.ts"

/** The name of an option that some calls take in the query string. */
export type OptionName = (typeof READ_OPTION_NAMES)[ReadKind][number]

/** An option of a call, in a body and in a query string. A schema is undefined if the resource lacks the option. */
interface OptionDescription {
  readonly description: string
  readonly schema: (context: SchemaContext) => JsonSchema | undefined
  /** The schema in a query string, if that takes less than a body. The option is then written in brackets. */
  readonly inBrackets?: (context: SchemaContext) => JsonSchema | undefined
  /** The schema in a query string of what can be written without brackets. */
  readonly inText?: (context: SchemaContext) => JsonSchema | undefined
}

const COUNTED = { ...WHOLE_NUMBER, minimum: 1, maximum: QUERY_LIMITS.maxCounted }
const CURSOR = { ...TEXT, maxLength: QUERY_LIMITS.maxCursorLength }
const ESTIMATE = { const: "estimate" }

/**
 * The options of calls. Those that are undefined change the shape of the answer, which the schema of one answer cannot
 * say: a client by this document gets the shape that it knows.
 */
const OPTIONS: Readonly<Record<OptionName, OptionDescription | undefined>> = {
  where: { description: "A filter.", schema: whereSchema, inBrackets: matchSchema },
  with: { description: "The related records to include.", schema: withSchema, inBrackets: plainWithSchema },
  columns: undefined,
  groupBy: undefined,
  count: undefined,
  sum: undefined,
  avg: undefined,
  min: undefined,
  having: undefined,
  orderBy: {
    description: "The order of the records. The newest come first unless set.",
    schema: (context) => (plainOrderSchema(context) ? orderSchema(context) : undefined),
    inBrackets: plainOrderSchema,
  },
  limit: {
    description: `How many; ${QUERY_LIMITS.defaultLimit} unless set.`,
    schema: () => ({ ...WHOLE_NUMBER, minimum: 1, maximum: QUERY_LIMITS.maxLimit }),
  },
  offset: {
    description: "How many to skip. Instead of page.",
    schema: () => ({ ...WHOLE_NUMBER, minimum: 0, maximum: QUERY_LIMITS.maxOffset }),
  },
  page: {
    description: "The number of the page, from 1. Instead of offset.",
    schema: () => ({ ...WHOLE_NUMBER, minimum: 1 }),
  },
  search: {
    description:
      "Words that the text of a record has, the last of them perhaps unfinished. If the collection is not searchable: a text that occurs in the title, in upper or lower case.",
    schema: () => ({ ...TEXT, maxLength: QUERY_LIMITS.maxSearchLength }),
  },
  total: {
    description:
      'False if the total is not needed, which saves time. { max } counts at most so many, and "estimate" returns what Postgres expects; totalIs then says what totalDocs is.',
    schema: () => ({ anyOf: [FLAG, ESTIMATE, objectOf({ max: COUNTED })] }),
    inText: () => ({ anyOf: [FLAG, ESTIMATE] }),
  },
  after: {
    description:
      "The endCursor of a page, to get the records behind it; null (in a query string an empty value) for the first ones.",
    schema: () => orNull(CURSOR),
    inText: () => CURSOR,
  },
  before: {
    description:
      "The startCursor of a page, to get the records before it; null (in a query string an empty value) for the last ones. With after, the page has the first records between both.",
    schema: () => orNull(CURSOR),
    inText: () => CURSOR,
  },
  max: { description: "The number at which the count ends.", schema: () => COUNTED },
  includeDeleted: {
    description: "True to include deleted records.",
    schema: ({ described: { resource, operations } }) => (resource.deletedAt && operations.delete ? FLAG : undefined),
  },
  locale: {
    description: "The locale of localized values. The Accept-Language header decides unless set.",
    schema: ({ locales }) => (locales.length > 1 ? { enum: locales } : undefined),
  },
  localeFallback: {
    description: "False to read no value of another locale where a value is missing.",
    schema: ({ locales }) => (locales.length > 1 ? FLAG : undefined),
  },
  dryRun: { description: "True to roll the write back: the answer shows what it would do.", schema: () => FLAG },
  stage: {
    description: "The stage whose copies are read or written.",
    schema: ({ described: { stages } }) => (stages.size > 0 ? { enum: [...stages] } : undefined),
  },
  expectedRevision: {
    description: "The revision that the record must still have; otherwise the call is 409.",
    schema: ({ described: { resource } }) => (resource.revision ? { ...WHOLE_NUMBER, minimum: 1 } : undefined),
  },
}

/** The parameters of a call, and the other things about it that depend on them. */
interface CallOptions {
  readonly parameters: readonly (Parameter | Reference)[]
  /** True if the call can name the revision that the record must have in the header `If-Match`. */
  readonly hasIfMatch: boolean
}

/** Returns the parameters of the query string, and the header that stands for one of them. */
export function optionParameters(context: SchemaContext, options: ReadKind | readonly OptionName[]): CallOptions {
  const names: readonly OptionName[] = typeof options === "string" ? READ_OPTION_NAMES[options] : options
  const parameters = names.flatMap((name) => optionParameter(context, name) ?? [])
  const hasIfMatch = names.includes("expectedRevision") && context.described.resource.revision !== undefined
  if (!hasIfMatch) return { parameters, hasIfMatch }
  return { parameters: [...parameters, context.components.referToParameter("IfMatch", IF_MATCH)], hasIfMatch }
}

const IF_MATCH: Parameter = {
  name: "If-Match",
  in: "header",
  description: "The revision that the record must still have, in quotes; otherwise the call is 412.",
  schema: TEXT,
}

function optionParameter(context: SchemaContext, name: OptionName): Parameter | Reference | undefined {
  const option = OPTIONS[name]
  const schema = (option?.inBrackets ?? option?.inText ?? option?.schema)?.(context)
  if (option === undefined || schema === undefined) return undefined
  const brackets = option.inBrackets ? ({ style: "deepObject", explode: true } as const) : {}
  const parameter: Parameter = { name, in: "query", description: option.description, ...brackets, schema }
  // The other options are the same for all resources that have them.
  if (option.inBrackets || name === "stage") return parameter
  return context.components.referToParameter(name.charAt(0).toUpperCase() + name.slice(1), parameter)
}

/** Returns the schemas of these options, as a body takes them. */
export function optionSchemas(
  context: SchemaContext,
  names: readonly OptionName[],
): Readonly<Record<string, JsonSchema>> {
  const entries = names.flatMap((name) => {
    const schema = OPTIONS[name]?.schema(context)
    return schema ? [[name, schema] as const] : []
  })
  return Object.fromEntries(entries)
}
