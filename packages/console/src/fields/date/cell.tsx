import { useFormats, useNow } from "../../kit/formats.ts"
import { shortMoment } from "../../kit/past.ts"
import { NoValue } from "../../parts/no-value.tsx"
import { useWords } from "../../words/words.ts"
import type { CellProps } from "../cell-props.ts"

/** A moment, as near as people say it; the title has it in full. */
export function DateTimeCell({ value }: CellProps) {
  const words = useWords("values")
  const formats = useFormats()
  const now = useNow()
  const moment = momentOf(value)
  if (moment === null) return <NoValue />
  return (
    <time dateTime={moment.toISOString()} title={formats.moment.format(moment)}>
      {shortMoment(moment, now, { words, formats })}
    </time>
  )
}

/** A day, which is the same in every zone. */
export function DateCell({ value }: CellProps) {
  const { day } = useFormats()
  const parts = typeof value === "string" ? /^(\d{4})-(\d\d)-(\d\d)/.exec(value) : null
  if (parts === null) return <NoValue />
  const [, year, month, date] = parts.map(Number)
  return <span className="number">{day.format(new Date(year ?? 0, (month ?? 1) - 1, date))}</span>
}

/** A time of a day, without seconds that are zero. */
export function TimeCell({ value }: CellProps) {
  if (typeof value !== "string" || value === "") return <NoValue />
  return <span className="number">{value.replace(/^(\d\d:\d\d):00(\.0+)?$/, "$1")}</span>
}

function momentOf(value: unknown): Date | null {
  if (value === null || value === undefined) return null
  const moment = value instanceof Date ? value : new Date(String(value))
  return Number.isNaN(moment.getTime()) ? null : moment
}
