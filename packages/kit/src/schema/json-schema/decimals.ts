/** Returns a finite number as a decimal string without an exponent, and undefined for an infinite one. */
export function plainDecimal(number: number | bigint): string | undefined {
  if (typeof number === "bigint") return String(number)
  if (!Number.isFinite(number)) return undefined
  const [digits = "", exponent = "0"] = String(number).split("e")
  return moveDecimalPoint(digits, Number(exponent))
}

function moveDecimalPoint(decimal: string, places: number): string {
  if (places === 0) return decimal
  const sign = decimal.startsWith("-") ? "-" : ""
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".")
  const zeros = "0".repeat(Math.abs(places))
  const digits = places > 0 ? `${whole}${fraction}${zeros}` : `${zeros}${whole}${fraction}`
  const point = places > 0 ? whole.length + places : whole.length
  const [before, after] = [digits.slice(0, point), digits.slice(point).replace(/0+$/, "")]
  return `${sign}${before.replace(/^0+(?=\d)/, "")}${after === "" ? "" : `.${after}`}`
}

/** True if the decimal `left` is less than the decimal `right`. Both are strings without an exponent. */
export function isLessDecimal(left: string, right: string): boolean {
  const scale = Math.max(scaleOf(left), scaleOf(right))
  return scaled(left, scale) < scaled(right, scale)
}

function scaleOf(decimal: string): number {
  return decimal.split(".")[1]?.length ?? 0
}

function scaled(decimal: string, scale: number): bigint {
  const [whole = "", fraction = ""] = decimal.split(".")
  return BigInt(`${whole}${fraction.padEnd(scale, "0")}`)
}
