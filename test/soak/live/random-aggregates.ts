// Random aggregates with every option.
import type { Chance } from "./random.ts"

interface Aggregated {
  readonly keys: readonly unknown[]
  readonly numbers: readonly string[]
  readonly extremes: readonly string[]
}

const months = (field: string) => [
  { field, by: "month", timeZone: "Europe/Berlin" },
  { field, by: "day" },
]

// Some users may not read budgets, or memberships, and others only until they get another role.
const AGGREGATED: Record<string, Aggregated> = {
  teams: { keys: ["name", "rank"], numbers: ["rank"], extremes: ["name", "stamp"] },
  memberships: { keys: ["person", "team"], numbers: [], extremes: ["stamp"] },
  projects: {
    keys: ["kind", "isPublic", "size", "team", "owner", "title", "taskCount", ...months("at")],
    numbers: ["size", "size", "taskCount", "budget"],
    extremes: ["name", "at", "title", "kind", "stamp", "createdAt"],
  },
  tasks: { keys: ["done", "project", "assignee", "weight"], numbers: ["weight"], extremes: ["name", "stamp"] },
  tags: { keys: ["name"], numbers: [], extremes: ["name", "stamp"] },
  articles: {
    keys: ["section", "author", "title", ...months("createdAt")],
    numbers: [],
    extremes: ["title", "body", "stamp"],
  },
  notes: { keys: ["project", "text"], numbers: [], extremes: ["text", "stamp"] },
}
const OPERATORS = ["gt", "gte", "lt", "lte", "eq", "ne"]

/** Returns a topic with numbers about the records of another topic, if its collection has any. */
export function aggregated(c: Chance, topic: Record<string, any>): Record<string, any> {
  const { resourceType, resource, where, locale } = topic
  const names = AGGREGATED[resource]
  if (names === undefined) return topic
  const groups = c.is(65) ? groupOptions(c, names) : {}
  const { orderBy, limit, ...more } = groups
  return {
    ...{ resourceType, resource },
    ...(where && { where }),
    ...(orderBy && { orderBy }),
    ...(limit && { limit }),
    ...(locale && locale !== "*" && { locale }),
    read: {
      operation: "aggregate",
      ...(c.is(80) || !more["groupBy"] ? { count: true } : {}),
      ...shown(c, names),
      ...more,
    },
  }
}

function shown(c: Chance, { numbers, extremes }: Aggregated): Record<string, any> {
  const sums = Object.fromEntries(["sum", "avg"].filter(() => numbers.length > 0 && c.is(35)).map(named(c, numbers)))
  return { ...sums, ...Object.fromEntries(["min", "max"].filter(() => c.is(35)).map(named(c, extremes))) }
}

function named(c: Chance, fields: readonly string[]) {
  return (measure: string) => [measure, { [c.of(fields)]: true }] as const
}

function groupOptions(c: Chance, names: Aggregated): Record<string, any> {
  const [first, second] = [c.of(names.keys), c.of(names.keys)]
  const isPair = c.is(30) && fieldOf(first) !== fieldOf(second)
  const number = c.of(names.numbers)
  const condition = () => ({ [c.of(OPERATORS)]: c.below(4) })
  const direction = () => c.of(["asc", "desc"])
  const having = {
    ...(c.is(60) && { count: condition() }),
    ...(number && c.is(50) && { sum: { [number]: condition() } }),
  }
  const orders = [
    { count: direction() },
    { [fieldOf(first)]: direction() },
    { max: { [c.of(names.extremes)]: direction() } },
  ]
  return {
    groupBy: isPair ? [first, second] : first,
    ...(Object.keys(having).length > 0 && c.is(40) && { having }),
    ...(c.is(50) && { orderBy: c.is(70) ? c.of(orders) : orders.slice(0, 2) }),
    ...(c.is(40) && { limit: 1 + c.below(4) }),
  }
}

function fieldOf(key: unknown): string {
  return typeof key === "string" ? key : String(Object(key).field)
}
