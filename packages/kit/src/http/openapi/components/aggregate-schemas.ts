import { PERIODS } from "../../../wire/options/aggregate-options.ts"
import { QUERY_LIMITS } from "../../../wire/options/query-options.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { ANY_OBJECT, FLAG, listOf, mapOf, objectOf, TEXT, WHOLE_NUMBER } from "../schema-parts.ts"
import type { Components } from "./components.ts"

type Members = Readonly<Record<string, JsonSchema>>

/**
 * Returns the schema of the options of an aggregate. `shared` are those that other reads have, too. The others are
 * components of the whole app, without the names of fields: with these, the document of a large app would be twice as long.
 */
export function aggregateSchema(components: Components, shared: Members): JsonSchema {
  const fields = components.refer("MeasuredFields", () => MEASURED_FIELDS)
  const properties = {
    ...shared,
    groupBy: components.refer("GroupKeys", () => GROUP_KEYS),
    count: YES,
    ...{ sum: fields, avg: fields, min: fields, max: fields },
    having: components.refer("GroupConditions", () => GROUP_CONDITIONS),
    orderBy: components.refer("GroupDirections", () => GROUP_DIRECTIONS),
    limit: { ...WHOLE_NUMBER, minimum: 1, maximum: QUERY_LIMITS.maxAggregateGroups },
  }
  return { type: "object", properties, additionalProperties: false }
}

/** Returns a reference to the schema of the result of an aggregate. */
export function aggregatesSchema(components: Components): JsonSchema {
  return components.refer("ComputedValues", () => ({
    anyOf: [
      { ...objectOf(VALUES), additionalProperties: false },
      objectOf({ groups: listOf(objectOf({ key: mapOf(PLAIN), ...VALUES })), hasMore: FLAG }),
    ],
    description: "The values of all records or, with groupBy, of each group. Exact numbers are strings of digits.",
  }))
}

const YES: JsonSchema = { const: true }
const MEASURED_FIELDS: JsonSchema = { ...mapOf(YES), description: 'The names of fields, such as { "price": true }.' }

const KEY: JsonSchema = {
  anyOf: [TEXT, objectOf({ field: TEXT, "by?": { enum: PERIODS }, "timeZone?": TEXT })],
}
const GROUP_KEYS: JsonSchema = {
  anyOf: [KEY, { ...listOf(KEY), minItems: 1, maxItems: QUERY_LIMITS.maxGroupKeys }],
  description: "The fields whose values form groups; dates and moments optionally by periods.",
}

const CONDITIONS = mapOf(ANY_OBJECT)
const GROUP_CONDITIONS: JsonSchema = {
  ...objectOf({
    "count?": ANY_OBJECT,
    "sum?": CONDITIONS,
    "avg?": CONDITIONS,
    "min?": CONDITIONS,
    "max?": CONDITIONS,
  }),
  description: 'Conditions on the values of a group, such as { "count": { "gte": 2 } }.',
}

const DIRECTION: JsonSchema = { enum: ["asc", "desc"] }
const DIRECTIONS = mapOf({ anyOf: [DIRECTION, mapOf(DIRECTION)] })
const GROUP_DIRECTIONS: JsonSchema = {
  anyOf: [DIRECTIONS, { ...listOf(DIRECTIONS), maxItems: QUERY_LIMITS.maxOrderKeys }],
  description: 'The order of the groups, such as { "count": "desc" }; by their keys unless set.',
}

const PLAIN: JsonSchema = { type: ["string", "number", "boolean", "null"] }
const NUMBERS = mapOf({ type: ["number", "string", "null"] })
const VALUES: Members = {
  "count?": WHOLE_NUMBER,
  "sum?": NUMBERS,
  "avg?": NUMBERS,
  "min?": mapOf(PLAIN),
  "max?": mapOf(PLAIN),
}
