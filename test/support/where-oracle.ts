export type Row = Readonly<Record<string, unknown>>
export type Where = Readonly<Record<string, unknown>>

/** What a filter means, in plain JavaScript: written from the documentation and without a look at the framework. */
export function matches(row: Row, where: Where, related: (id: unknown) => Row | undefined): boolean {
  const holds = (part: unknown) => matches(row, part as Where, related)
  return Object.entries(where).every(([name, condition]) => {
    if (name === "AND") return (condition as Where[]).every(holds)
    if (name === "OR") return (condition as Where[]).some(holds)
    if (name === "NOT") return !holds(condition)
    if (name === "owner") return relationMatches(row[name], condition, related)
    return fieldMatches(row[name] ?? null, condition)
  })
}

function relationMatches(id: unknown, condition: unknown, related: (id: unknown) => Row | undefined): boolean {
  if (!isObject(condition)) return compare(id ?? null, "eq", condition)
  const target = (where: unknown) => {
    const row = related(id)
    return where === null ? id === null : row !== undefined && matches(row, where as Where, related)
  }
  const names = Object.keys(condition)
  const operators = ["eq", "ne", "in", "notIn", "isNull", "isNotNull", "is", "isNot"]
  if (names.length === 0 || !names.every((name) => operators.includes(name))) return target(condition)
  return Object.entries(condition).every(([name, operand]) => {
    if (name === "is") return target(operand)
    return name === "isNot" ? !target(operand) : compare(id ?? null, name, operand)
  })
}

function fieldMatches(value: unknown, condition: unknown): boolean {
  if (!isObject(condition)) return compare(value, "eq", condition)
  return Object.entries(condition).every(([operator, operand]) => compare(value, operator, operand))
}

function compare(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case "isNull":
      return (value === null) === operand
    case "isNotNull":
      return (value !== null) === operand
    case "ne":
      return !isSame(value, operand)
    case "notIn":
      return !isIn(value, operand)
    case "notLike":
      return !isLike(value, operand, "s")
    case "notIlike":
      return !isLike(value, operand, "is")
    case "eq":
      return isSame(value, operand)
    default:
      return value !== null && compareValue(value, operator, operand)
  }
}

function compareValue(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case "in":
      return isIn(value, operand)
    case "like":
      return isLike(value, operand, "s")
    case "ilike":
      return isLike(value, operand, "is")
    case "contains":
      return typeof value === "string" && typeof operand === "string" && !isJsonText(value)
        ? lower(value).includes(lower(operand))
        : jsonContains(unwrap(value), unwrap(operand))
    case "startsWith":
      return lower(value).startsWith(lower(operand))
    case "endsWith":
      return lower(value).endsWith(lower(operand))
    case "hasKey":
      return hasKey(unwrap(value), operand)
    case "path":
      return pathMatches(unwrap(value), operand as Where)
    default:
      return isOrdered(value, operator, operand)
  }
}
