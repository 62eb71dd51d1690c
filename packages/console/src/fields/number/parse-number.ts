import type { NumberType } from "kit/client"

/** Signs of numbers as a person writes them. */
interface NumberSigns {
  readonly decimal: string
  readonly group: string
}

export function numberSignsOf(locale: string): NumberSigns {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.5)
  const signOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ""
  return { decimal: signOf("decimal"), group: signOf("group") }
}

/**
 * Reads a number as a person has typed it: a bigint as a bigint and a decimal as a text, so that no digit is lost.
 * Returns undefined for a text that is no such number.
 */
export function parseNumber(text: string, type: NumberType, signs: NumberSigns): number | bigint | string | undefined {
  const plain = plainNumber(text.trim(), signs)
  if (plain === undefined) return undefined
  switch (type) {
    case "integer":
      return WHOLE.test(plain) && Number.isSafeInteger(Number(plain)) ? Number(plain) : undefined
    case "double":
      return NUMBER.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : undefined
    case "bigint":
      return WHOLE.test(plain) ? BigInt(plain) : undefined
    case "decimal":
      return DECIMAL.test(plain) ? plain.replace(/^(-?)\./, "$10.") : undefined
    default:
      return type satisfies never
  }
}

/** Writes a number so that `parseNumber` reads it again: with the decimal sign of the person, without groups. */
export function numberText(value: unknown, { decimal }: NumberSigns): string {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string") return ""
  return String(value).replace(".", decimal)
}

const WHOLE = /^-?\d+$/
const DECIMAL = /^-?(\d+(\.\d+)?|\.\d+)$/
const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

// Groups are left out only where they stand between thousands: "1,5" is one and a half in many countries, and not 15.
function plainNumber(text: string, { decimal, group }: NumberSigns): string | undefined {
  const [whole = "", ...rest] = text.replace(/^\+/, "").replace("−", "-").split(decimal)
  if (rest.length > 1) return undefined
  const groups = whole.split(GROUP_SIGNS.test(group) ? GROUP_SIGNS : group)
  if (groups.length > 1 && !groups.every((digits, index) => (index === 0 ? /^-?\d{1,3}$/ : /^\d{3}$/).test(digits))) {
    return undefined
  }
  return [groups.join(""), ...rest].join(".")
}

// Spaces of any width part the thousands where one of them does.
const GROUP_SIGNS = /[\s\u00a0\u202f]/
