const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{2}:\d{2}(:\d{2})?$/
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Returns the order of two values of one ordered type: negative, zero or positive; undefined if it is not known. Numbers,
 * dates and times may also be given as plain JSON has them: decimals and bigints as digits, dates as ISO strings.
 */
export function orderOf(left: unknown, right: unknown): number | undefined {
  return (
    orderBy(left, right, dayOf) ??
    orderBy(left, right, timeOf) ??
    orderBy(left, right, momentOf) ??
    numericOrder(left, right)
  )
}

type Read<Value> = (value: unknown) => Value | undefined

function orderBy<Value extends string | number>(left: unknown, right: unknown, read: Read<Value>): number | undefined {
  const [first, second] = [read(left), read(right)]
  if (first === undefined || second === undefined) return undefined
  return sign(first, second)
}

const dayOf: Read<string> = (value) => (typeof value === "string" && DAY.test(value) ? value : undefined)

const timeOf: Read<string> = (value) => {
  if (typeof value !== "string" || !TIME.test(value)) return undefined
  return value.length === "10:30".length ? `${value}:00` : value
}

const momentOf: Read<number> = (value) => {
  const text = typeof value === "string" && MOMENT.test(value) ? value : undefined
  const moment = value instanceof Date ? value.getTime() : Date.parse(text ?? "")
  return Number.isNaN(moment) ? undefined : moment
}

// Compares digit by digit, because a floating-point number cannot hold all digits of a bigint or a decimal.
function numericOrder(left: unknown, right: unknown): number | undefined {
  if (typeof left === "number" && typeof right === "number") {
    return Number.isFinite(left) && Number.isFinite(right) ? sign(left, right) : undefined
  }
  const [first, second] = [partsOf(left), partsOf(right)]
  if (first === null || second === null) return undefined
  const scale = Math.max(first[3]?.length ?? 0, second[3]?.length ?? 0)
  return sign(scaled(first, scale), scaled(second, scale))
}

type Parts = readonly (string | undefined)[]

function partsOf(value: unknown): Parts | null {
  const isNumeric = typeof value === "string" || typeof value === "number" || typeof value === "bigint"
  return isNumeric ? DECIMAL.exec(String(value)) : null
}

function scaled([, minus = "", whole = "", fraction = ""]: Parts, scale: number): bigint {
  return BigInt(`${minus}${whole}${fraction.padEnd(scale, "0")}`)
}

function sign<Value extends number | bigint | string>(left: Value, right: Value): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
