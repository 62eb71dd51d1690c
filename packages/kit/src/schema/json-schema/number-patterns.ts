/** A range of decimals, as decimal strings without an exponent. A side without a bound is undefined. */
interface DecimalRange {
  readonly min?: string | undefined
  readonly max?: string | undefined
}

/**
 * Returns a pattern for the decimals in a range. It does not limit the number of digits. The fraction of a bound may
 * have any length.
 */
export function decimalRangePattern({ min, max }: DecimalRange): string {
  const positive = magnitudes(min === undefined || isNegative(min) ? undefined : min, max)
  const negative = magnitudes(max === undefined || !isNegative(max) ? undefined : absolute(max), negated(min))
  const signed = [...negative.map((each) => `-${each}`), ...positive]
  return signed.length === 0 ? NOTHING : `^(?:${signed.join("|")})$`
}

/** A pattern that matches no text. */
export const NOTHING = "^(?!)"
const ANY_FRACTION = "(?:\\.[0-9]+)?"

// Returns alternatives for the decimals without a sign between two bounds. None if the upper bound is below zero.
function magnitudes(least: string | undefined, most: string | undefined): string[] {
  if (most !== undefined && isNegative(most) && !isZero(most)) return []
  const low = split(least ?? "0")
  if (most === undefined)
    return [...atLeastWhole(low.whole + 1n), ...fractions(low.whole, fractionAtLeast(low.fraction))]
  const high = split(absolute(most))
  if (low.whole > high.whole) return []
  if (low.whole === high.whole) return fractions(low.whole, fractionBetween(low.fraction, high.fraction))
  return [
    ...fractions(low.whole, fractionAtLeast(low.fraction)),
    ...wholeRange(low.whole + 1n, high.whole - 1n).map((whole) => `0*${whole}${ANY_FRACTION}`),
    ...fractions(high.whole, fractionAtMost(high.fraction)),
  ]
}

function fractions(whole: bigint, fraction: string | undefined): string[] {
  return fraction === undefined ? [] : [`0*${whole}${fraction}`]
}

function isNegative(text: string): boolean {
  return text.startsWith("-")
}

function isZero(text: string): boolean {
  return !/[1-9]/.test(text)
}

function absolute(text: string): string {
  return text.replace("-", "")
}

function negated(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  return isNegative(text) ? absolute(text) : `-${text}`
}

function split(text: string): { whole: bigint; fraction: string } {
  const [whole = "0", fraction = ""] = text.split(".")
  return { whole: BigInt(whole), fraction: fraction.replace(/0+$/, "") }
}

// Returns a pattern for the point and the digits of a fraction that is at least 0.`digits`.
function fractionAtLeast(digits: string): string {
  return digits === "" ? ANY_FRACTION : `\\.${digitsAtLeast(digits)}`
}

function digitsAtLeast(digits: string): string {
  if (digits === "") return "[0-9]*"
  const first = Number(digits[0])
  const same = `${first}${digitsAtLeast(digits.slice(1))}`
  return first === 9 ? same : `(?:${digitClass(first + 1, 9)}[0-9]*|${same})`
}

function fractionAtMost(digits: string): string {
  return digits === "" ? "(?:\\.0+)?" : `(?:\\.${digitsAtMost(digits)})?`
}

// Returns a pattern for digits, at least one, that are at most 0.`digits`.
function digitsAtMost(digits: string): string {
  const first = Number(digits[0])
  const rest = digits.length === 1 ? "0*" : `(?:${digitsAtMost(digits.slice(1))})?`
  const same = `${first}${rest}`
  return first === 0 ? same : `(?:${digitClass(0, first - 1)}[0-9]*|${same})`
}

function fractionBetween(least: string, most: string): string | undefined {
  const length = Math.max(least.length, most.length)
  if (least.padEnd(length, "0") > most.padEnd(length, "0")) return undefined
  // The lookahead checks one bound, the rest of the pattern the other one. Both read up to the end of the text.
  return `(?=${fractionAtLeast(least)}$)${fractionAtMost(most)}`
}

// Returns patterns for the whole numbers from `least` upwards, without leading zeros.
function atLeastWhole(least: bigint): string[] {
  const length = String(least).length
  const sameLength = wholeRange(least, 10n ** BigInt(length) - 1n)
  return [...sameLength, `[1-9][0-9]{${length},}`].map((whole) => `0*${whole}${ANY_FRACTION}`)
}

// Returns patterns for the whole numbers between two bounds that are not negative, without leading zeros.
function wholeRange(least: bigint, most: bigint): string[] {
  const patterns: string[] = []
  let from = least
  while (from <= most) {
    const lastOfLength = 10n ** BigInt(String(from).length) - 1n
    const to = lastOfLength < most ? lastOfLength : most
    patterns.push(sameLengthRange(String(from), String(to)))
    from = to + 1n
  }
  return patterns
}

// Returns a pattern for the numbers between two bounds with equally many digits.
function sameLengthRange(least: string, most: string): string {
  if (least === most) return least
  const [low, high] = [Number(least[0]), Number(most[0])]
  const [lowRest, highRest] = [least.slice(1), most.slice(1)]
  if (low === high) return `${low}${sameLengthRange(lowRest, highRest)}`
  const startsAtZeros = /^0*$/.test(lowRest)
  const endsAtNines = /^9*$/.test(highRest)
  const rest = anyDigits(lowRest.length)
  const [from, to] = [startsAtZeros ? low : low + 1, endsAtNines ? high : high - 1]
  const alternatives = [
    ...(startsAtZeros ? [] : [`${low}${sameLengthRange(lowRest, "9".repeat(lowRest.length))}`]),
    ...(from <= to ? [`${digitClass(from, to)}${rest}`] : []),
    ...(endsAtNines ? [] : [`${high}${sameLengthRange("0".repeat(highRest.length), highRest)}`]),
  ]
  return alternatives.length === 1 ? alternatives.join("") : `(?:${alternatives.join("|")})`
}

function anyDigits(count: number): string {
  if (count === 0) return ""
  return count === 1 ? "[0-9]" : `[0-9]{${count}}`
}

function digitClass(from: number, to: number): string {
  return from === to ? String(from) : `[${from}-${to}]`
}
