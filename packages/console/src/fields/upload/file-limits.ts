import type { CollectionMeta } from "kit/client"

/** The files that a collection accepts, as its description says. */
export type FileLimits = NonNullable<CollectionMeta["upload"]>

/** The reason for which a file would be refused, as far as the page can know it. */
export type Refusal =
  | { readonly kind: "empty" }
  | { readonly kind: "tooLarge"; readonly maxSize: number }
  | { readonly kind: "wrongType"; readonly types: readonly string[] }

/** Returns why the server would refuse a file, or null. A file whose type the browser does not know is for the server. */
export function refusalOf({ size, type }: Pick<File, "size" | "type">, { maxSize, types }: FileLimits): Refusal | null {
  if (size === 0) return { kind: "empty" }
  if (size > maxSize) return { kind: "tooLarge", maxSize }
  if (types !== null && type !== "" && !types.some((accepted) => isOfType(type, accepted))) {
    return { kind: "wrongType", types }
  }
  return null
}

function isOfType(type: string, accepted: string): boolean {
  return accepted.endsWith("/*") ? type.startsWith(accepted.slice(0, -1)) : type === accepted
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

/** Writes a number of bytes as people do: `1.4 MB`. */
export function sizeText(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  const amount = bytes / 1024 ** power
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: amount < 10 && power > 0 ? 1 : 0,
  }).format(amount)
}

/** Writes the types of files for people: `image/*` is "image", `application/pdf` is "pdf", `text/plain` is "text". */
export function typeNames(types: readonly string[]): string {
  return types.map(typeName).join(", ")
}

function typeName(type: string): string {
  const [kind = type, format = "*"] = type.split("/")
  return format === "*" || format === "plain" ? kind : format
}
