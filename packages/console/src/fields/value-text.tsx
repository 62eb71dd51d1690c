import type { PartSchema } from "kit/client"
import { ChoiceText } from "../parts/inputs/choice-text.tsx"
import { formatLocale } from "../words/language.ts"
import { useWords } from "../words/words.ts"

interface ValueTextProps {
  readonly part: Pick<PartSchema, "type" | "options" | "items" | "limits">
  readonly value: unknown
}

/** A value as text, where nobody edits it. */
export function ValueText({ part, value }: ValueTextProps) {
  const words = useWords("record")
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) {
    return (
      <span className="none">
        <span aria-hidden>–</span>
        <span className="visually-hidden">{words.empty}</span>
      </span>
    )
  }
  if (part.type === "select" || part.type === "multiple") return <Options part={part} value={value} />
  if (typeof value === "boolean") return <span>{value ? words.yes : words.no}</span>
  if (typeof value === "number" || typeof value === "bigint") return <span className="number">{numberIn(value)}</span>
  if (value instanceof Date) return <Moment time={value} />
  if (part.type === "date" && typeof value === "string") return <time dateTime={value}>{dayText(value)}</time>
  if (typeof value === "string") {
    const look = part.type === "textarea" ? " prose" : part.limits.pattern === undefined ? "" : " mono"
    return <span className={`text-value${look}`}>{value}</span>
  }
  if (part.type === "richText") return <span className="text-value prose">{textOf(value).trim()}</span>
  return <pre className="json-value">{JSON.stringify(value, null, 2)}</pre>
}

// A moment is written in the zone of the person. The title names the zone.
function Moment({ time }: { readonly time: Date }) {
  return (
    <time dateTime={time.toISOString()} title={timeText(time)}>
      {MOMENT.format(time)}
    </time>
  )
}

function Options({ part, value }: ValueTextProps) {
  const options = part.options ?? part.items?.options ?? []
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value]
  return (
    <span className="chosen-options">
      {chosen.map((one) => {
        const label = String(one)
        return (
          <ChoiceText key={label} choice={options.find((option) => option.value === one) ?? { value: label, label }} />
        )
      })}
    </span>
  )
}

/** Returns a text or the words of a rich text; an empty text for other values. */
export function plainText(value: unknown): string {
  return typeof value === "string" ? value : textOf(value).trim()
}

// The words of a rich text, each block on lines of its own.
function textOf(node: unknown): string {
  if (typeof node !== "object" || node === null) return ""
  const [text, content] = [Reflect.get(node, "text"), Reflect.get(node, "content")]
  if (typeof text === "string") return text
  if (!Array.isArray(content)) return ""
  const isBlock = content.some((child) => !isText(child))
  return content.map((child) => textOf(child) + (isBlock ? "\n\n" : "")).join("")
}

function isText(node: unknown): boolean {
  return typeof node === "object" && node !== null && Reflect.get(node, "type") === "text"
}

/** Writes a moment in the zone of the person, and names the zone. */
export function timeText(time: Date): string {
  return MOMENT_IN_ZONE.format(time)
}

const MOMENT = new Intl.DateTimeFormat(formatLocale(), { dateStyle: "medium", timeStyle: "short" })
const MOMENT_IN_ZONE = new Intl.DateTimeFormat(formatLocale(), {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
})
const DAY = new Intl.DateTimeFormat(formatLocale(), { dateStyle: "medium", timeZone: "UTC" })
const NUMBER = new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 20 })

function dayText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? day : DAY.format(date)
}

function numberIn(value: number | bigint): string {
  return NUMBER.format(value)
}
