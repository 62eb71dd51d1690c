import type { Where } from "./where-oracle.ts"

/**
 * Returns a filter as a query string, written from the documentation and without the client: null, empty lists and JSON
 * included.
 */
export function whereQuery(where: Where): string {
  return write("where", where, false)
}

const JSON_OPERANDS = new Set(["eq", "ne", "contains", "path"])

function write(name: string, value: unknown, isJson: boolean): string {
  if (value === null) return parameter(`${name}[isNull]`, "true")
  if (Array.isArray(value)) return isJson ? parameter(name, JSON.stringify(value)) : writeList(name, value)
  if (value instanceof Date) return parameter(name, value.toISOString())
  if (typeof value !== "object") return parameter(name, String(value))
  const members = Object.entries(value)
  if (members.length === 0) return parameter(name, "")
  return members.map(([key, member]) => writeMember(name, { key, member }, isJson)).join("")
}

function writeList(name: string, items: readonly unknown[]): string {
  if (items.length === 0) return parameter(name, "")
  return items.map((item, index) => write(`${name}[${index}]`, item, false)).join("")
}

function writeMember(name: string, { key, member }: { key: string; member: unknown }, isJson: boolean): string {
  if (member === null && (key === "eq" || key === "is")) return parameter(`${name}[isNull]`, "true")
  if (member === null && (key === "ne" || key === "isNot")) return parameter(`${name}[isNotNull]`, "true")
  if (isJson && JSON_OPERANDS.has(key)) return parameter(`${name}[${key}]`, JSON.stringify(member))
  return write(`${name}[${key}]`, member, key === "data")
}

function parameter(name: string, value: string): string {
  return `${name}=${encodeURIComponent(value)}&`
}
