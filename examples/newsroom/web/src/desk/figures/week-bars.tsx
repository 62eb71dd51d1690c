import { useId } from "react"
import { useDeskWords } from "../words.ts"
import { ticksUpTo } from "./ticks.ts"
import type { Week } from "./use-figures.ts"
import { useWidth } from "./use-width.ts"
import { useWeekNames } from "./weeks.ts"

const HEIGHT = 300
const MARGIN = { top: 20, right: 4, bottom: 30, left: 28 }
const BAR_SHARE = 0.68
const MAX_BAR_WIDTH = 46
// A number needs this much room inside of its part of a bar, and the name of a week below.
const NUMBER_HEIGHT = 14
const NAME_WIDTH = 58
/** The style sheet has as many patterns. Another team begins with the first one again. */
const PATTERNS = 4

interface WeekBarsProps {
  readonly teams: readonly string[]
  readonly weeks: readonly Week[]
}

/** A bar for each week, made of a part for each team. Parts differ in colour and pattern, and have their numbers in them. */
export function WeekBars({ teams, weeks }: WeekBarsProps) {
  const id = useId()
  const words = useDeskWords().figures
  const weekName = useWeekNames()
  const [element, width] = useWidth()
  const most = weeks.reduce((one, other) => (other.total > one.total ? other : one))
  const sum = weeks.reduce((total, week) => total + week.total, 0)
  return (
    <>
      <ul className="figure-keys">
        {teams.map((team, index) => (
          <li key={team}>
            <svg className="figure-key" aria-hidden="true">
              <rect width="100%" height="100%" {...partLook(id, index)} />
            </svg>
            {team}
          </li>
        ))}
      </ul>
      <div ref={element} className="figure-drawing" style={{ height: HEIGHT }}>
        <svg width={width} height={HEIGHT} role="img" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
          <title id={`${id}-title`}>{words.perWeek}</title>
          <desc id={`${id}-text`}>{words.weeksText(sum, weekName(most.monday), most.total)}</desc>
          <Patterns id={id} />
          {width > 0 && <Bars id={id} weeks={weeks} width={width} />}
        </svg>
      </div>
    </>
  )
}

interface BarsProps {
  readonly id: string
  readonly weeks: readonly Week[]
  readonly width: number
}

function Bars({ id, weeks, width }: BarsProps) {
  const weekName = useWeekNames()
  const ticks = ticksUpTo(Math.max(...weeks.map(({ total }) => total)))
  const inner = HEIGHT - MARGIN.top - MARGIN.bottom
  const bottom = MARGIN.top + inner
  const unit = inner / (ticks.at(-1) ?? 1)
  const slot = (width - MARGIN.left - MARGIN.right) / weeks.length
  const barWidth = Math.min(MAX_BAR_WIDTH, slot * BAR_SHARE)
  const namedEvery = Math.ceil(NAME_WIDTH / slot)
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            className="figure-line"
            x1={MARGIN.left}
            x2={width}
            y1={bottom - tick * unit}
            y2={bottom - tick * unit}
          />
          <text className="figure-scale" x={MARGIN.left - 8} y={bottom - tick * unit} dy="0.35em" textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {weeks.map((week, index) => {
        const center = MARGIN.left + slot * (index + 0.5)
        // Counted from the last week, so that the current one always has its name.
        const isNamed = (weeks.length - 1 - index) % namedEvery === 0
        return (
          <g key={week.monday}>
            <Parts id={id} counts={week.counts} place={{ x: center - barWidth / 2, bottom, unit, width: barWidth }} />
            {week.total > 0 && (
              <text className="figure-total" x={center} y={bottom - week.total * unit - 6} textAnchor="middle">
                {week.total}
              </text>
            )}
            {isNamed && (
              <text
                className="figure-scale"
                x={Math.min(center, width - NAME_WIDTH / 2)}
                y={bottom + 20}
                textAnchor="middle"
              >
                {weekName(week.monday)}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

interface PartsProps {
  readonly id: string
  readonly counts: readonly number[]
  readonly place: { readonly x: number; readonly bottom: number; readonly unit: number; readonly width: number }
}

/** The parts of one bar, the first team below. */
function Parts({ id, counts, place: { x, bottom, unit, width } }: PartsProps) {
  return counts.map((count, index) => {
    const below = counts.slice(0, index).reduce((sum, each) => sum + each, 0)
    const [y, height] = [bottom - (below + count) * unit, count * unit]
    if (count === 0) return null
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is the team.
      <g key={index}>
        <rect className="figure-part" x={x} y={y} width={width} height={height} {...partLook(id, index)} />
        {height >= NUMBER_HEIGHT && (
          <text className="figure-number" x={x + width / 2} y={y + height / 2} dy="0.35em" textAnchor="middle">
            {count}
          </text>
        )}
      </g>
    )
  })
}

function partLook(id: string, team: number) {
  const number = (team % PATTERNS) + 1
  return { fill: number === 1 ? "var(--chart-1)" : `url(#${id}-${number})` }
}

/** The patterns of the other teams: the first one has its plain colour. */
function Patterns({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={`${id}-2`} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="8" height="8" fill="var(--chart-2)" />
        <rect width="2" height="8" fill="var(--chart-hatch)" />
      </pattern>
      <pattern id={`${id}-3`} width="8" height="8" patternUnits="userSpaceOnUse">
        <rect width="8" height="8" fill="var(--chart-3)" />
        <circle cx="2" cy="2" r="1.2" fill="var(--chart-hatch)" />
        <circle cx="6" cy="6" r="1.2" fill="var(--chart-hatch)" />
      </pattern>
      <pattern id={`${id}-4`} width="8" height="8" patternUnits="userSpaceOnUse">
        <rect width="8" height="8" fill="var(--chart-4)" />
        <rect width="8" height="2" fill="var(--chart-hatch)" />
      </pattern>
    </defs>
  )
}
