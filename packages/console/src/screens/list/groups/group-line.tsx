import { ChevronDown, ChevronRight } from "lucide-react"
import type { CSSProperties, ReactNode } from "react"
import { Link } from "wouter"
import { cellOf } from "../../../fields/cells.ts"
import { StageTrack } from "../../../fields/stage/cell.tsx"
import type { Way } from "../../../fields/stage/way.ts"
import { useFormats } from "../../../kit/formats.ts"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import { rowId } from "../grid/grid-row.tsx"
import type { GroupItem } from "./group-items.ts"
import { MAX_IN_GROUP } from "./group-options.ts"
import type { Grouping, RecordGroup } from "./grouping.ts"

/** The facts that all lines of a grouped list share. */
interface GroupContext {
  readonly grouping: Grouping
  readonly way: Way | null
  /** The number of columns, and of the cell before them. */
  readonly colSpan: number
  /** Returns the address of the list that has the records of the group alone. */
  readonly hrefOf: (group: RecordGroup) => string
}

interface GroupLineProps {
  readonly context: GroupContext
  readonly item: Exclude<GroupItem, { kind: "record" }>
  readonly top: number
  readonly height: number
  /** The number of the line, from 0. */
  readonly place: number
  readonly isCurrent: boolean
}

/** A line that is no record: the heading of a group, the link to the rest of it, or the button for further groups. */
export function GroupLine({ context, item, top, height, place, isCurrent }: GroupLineProps) {
  const isHead = item.kind === "head"
  return (
    // The grid has the keys; a line is reached by aria-activedescendant.
    <div
      role="row"
      id={rowId(item.id)}
      data-id={item.id}
      tabIndex={-1}
      className={["row group-line", `group-${item.kind}`, isCurrent && "current"].filter(Boolean).join(" ")}
      style={{ transform: `translateY(${top}px)`, height } satisfies CSSProperties}
      aria-rowindex={place + 2}
      aria-level={isHead || item.kind === "more" ? 1 : 2}
      aria-expanded={isHead ? item.isOpen : undefined}
      aria-busy={item.kind === "waiting" ? true : undefined}
    >
      <span role="gridcell" aria-colindex={1} aria-colspan={context.colSpan}>
        {contentOf(item, context)}
      </span>
    </div>
  )
}

function contentOf(item: GroupLineProps["item"], context: GroupContext): ReactNode {
  switch (item.kind) {
    case "head":
      return <Heading group={item.group} isOpen={item.isOpen} context={context} />
    case "rest":
      return <RestLink group={item.group} href={context.hrefOf(item.group)} />
    case "waiting":
      return <span className="skeleton" style={{ width: "34%" }} />
    case "more":
      return <MoreButton />
    default:
      return item satisfies never
  }
}

interface HeadingProps {
  readonly group: RecordGroup
  readonly isOpen: boolean
  readonly context: GroupContext
}

/** The value of a group, and how many records it has, as a link to a list of them. */
function Heading({ group, isOpen, context }: HeadingProps) {
  const words = useWords("list")
  const count = words.count(Math.min(group.count, MAX_IN_GROUP), group.count > MAX_IN_GROUP)
  return (
    <>
      <Icon of={isOpen ? ChevronDown : ChevronRight} />
      <GroupValue group={group} context={context} />
      <Link className="count number" href={context.hrefOf(group)} tabIndex={-1} title={words.groups.showAll(count)}>
        {count}
      </Link>
    </>
  )
}

/** The value of a group as it is drawn in a cell: an option with its dot, a stage on its way, a person, a month. */
function GroupValue({ group: { value, title }, context: { grouping, way } }: Omit<HeadingProps, "isOpen">) {
  const words = useWords("list")
  const values = useWords("values")
  const { locale } = useFormats()
  const { field, relation, by } = grouping
  if (value === null) return <span className="none">{words.groups.none(field.label)}</span>
  if (by === "month") {
    const [year = 0, month = 1] = String(value).split("-").map(Number)
    const name = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" }).format(new Date(year, month - 1))
    return <span>{name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)}</span>
  }
  if (typeof value === "boolean") {
    return (
      <span>
        {field.label}: {value ? values.yes : values.no}
      </span>
    )
  }
  if (way && field.name === "stage") return <StageTrack part={field} way={way} stage={value} isChanged={false} />
  const related = relation && { id: String(value), [relation.titleField ?? "id"]: title ?? String(value) }
  const Value = cellOf(field.valueType ?? field.type)
  return <Value part={field} value={related ?? value} relation={relation} />
}

function RestLink({ group, href }: { readonly group: RecordGroup; readonly href: string }) {
  const words = useWords("list")
  const count = words.count(Math.min(group.count, MAX_IN_GROUP), group.count > MAX_IN_GROUP)
  return (
    <Link className="button quiet" href={href} tabIndex={-1}>
      {words.groups.showAll(count)}
    </Link>
  )
}

function MoreButton() {
  const words = useWords("list")
  return (
    <button type="button" className="button quiet" tabIndex={-1}>
      {words.groups.more}
    </button>
  )
}
