import { ArrowDown, ArrowUp, Minus, Plus, SlidersHorizontal } from "lucide-react"
import { Dialog, DialogTrigger } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { DENSITIES, useDensity } from "../../shell/appearance.ts"
import { useWords } from "../../words/words.ts"
import { possibleColumns } from "./columns.ts"
import { groupingsOf } from "./groups/grouping.ts"
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from "./kept-columns.ts"
import type { ListBarProps } from "./list-bar-props.ts"

/** How the list looks in this browser: which columns it has, in which order, and how high its rows are. */
export function DisplaySettings(props: ListBarProps) {
  const words = useWords("list")
  return (
    <DialogTrigger>
      <Button look="quiet" aria-label={words.display}>
        <Icon of={SlidersHorizontal} />
        <span className="on-desk">{words.display}</span>
      </Button>
      <Popover className="floating popover" placement="bottom end" offset={4}>
        <Dialog className="display" aria-label={words.display}>
          <StageChoice {...props} />
          <GroupChoice {...props} />
          <DensityChoice />
          <ColumnsChoice {...props} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** The field by which the records are put into groups. */
function GroupChoice({ schema, state, change }: ListBarProps) {
  const words = useWords("list")
  const groupings = groupingsOf(schema)
  if (groupings.length === 0) return null
  return (
    <label className="group-choice">
      {words.groups.by}
      <select
        className="input"
        value={state.group ?? ""}
        onChange={({ currentTarget: { value } }) => change({ group: value === "" ? null : value })}
      >
        <option value="">{words.groups.no}</option>
        {groupings.map(({ field, by }) => (
          <option key={field.name} value={field.name}>
            {by === "month" ? words.groups.monthOf(field.label) : field.label}
          </option>
        ))}
      </select>
    </label>
  )
}

function DensityChoice() {
  const words = useWords("list")
  const [density, choose] = useDensity()
  return (
    <fieldset className="segments on-desk">
      <legend>{words.rows}</legend>
      {DENSITIES.map((each) => (
        <label key={each}>
          <input type="radio" name="density" checked={density === each} onChange={() => choose(each)} />
          {words[each]}
        </label>
      ))}
    </fieldset>
  )
}

/** The working copies or what is public, for those who may read both. */
function StageChoice({ schema, state, change }: ListBarProps) {
  const words = useWords("list")
  const { workflow } = schema.options
  const mayChoose = workflow.enabled && workflow.initialStage !== null && schema.access.operations.drafts
  if (!mayChoose) return null
  const isPublic = state.stage === workflow.publicStage
  return (
    <fieldset className="segments">
      <legend>{words.copies}</legend>
      <label>
        <input type="radio" name="copies" checked={!isPublic} onChange={() => change({ stage: null })} />
        {words.working}
      </label>
      <label>
        <input type="radio" name="copies" checked={isPublic} onChange={() => change({ stage: workflow.publicStage })} />
        {words.published}
      </label>
    </fieldset>
  )
}

function ColumnsChoice({ schema, state, columns, choice, choose }: ListBarProps) {
  const words = useWords("list")
  const ofView = state.view === null ? null : schema.list.views[state.view]?.columns
  if (ofView) return <p className="menu-group">{words.columnsOfView}</p>
  const names = columns.map(({ name }) => name)
  const [title, ...shown] = names
  const hidden = possibleColumns(schema).filter((name) => !names.includes(name))
  const chooseNames = (next: readonly string[]) =>
    choose({ ...choice, names: title === undefined ? next : [title, ...next] })
  const widen = (name: string, by: number) => {
    const width = (choice.widths[name] ?? columns.find((column) => column.name === name)?.width ?? 120) + by
    const kept = Math.max(MIN_COLUMN_WIDTH, Math.min(width, MAX_COLUMN_WIDTH))
    choose({ ...choice, widths: { ...choice.widths, [name]: kept } })
  }
  return (
    <fieldset className="columns-choice">
      <legend>{words.columns}</legend>
      <ul>
        {shown.map((name, place) => {
          const label = schema.fields[name]?.label ?? name
          return (
            <li key={name}>
              <label>
                <input type="checkbox" checked onChange={() => chooseNames(shown.filter((each) => each !== name))} />
                {label}
              </label>
              <Button look="icon" aria-label={words.narrower(label)} onPress={() => widen(name, -24)}>
                <Icon of={Minus} />
              </Button>
              <Button look="icon" aria-label={words.wider(label)} onPress={() => widen(name, 24)}>
                <Icon of={Plus} />
              </Button>
              <Button
                look="icon"
                aria-label={words.moveUp(label)}
                isDisabled={place === 0}
                onPress={() => chooseNames(swapped(shown, place - 1))}
              >
                <Icon of={ArrowUp} />
              </Button>
              <Button
                look="icon"
                aria-label={words.moveDown(label)}
                isDisabled={place === shown.length - 1}
                onPress={() => chooseNames(swapped(shown, place))}
              >
                <Icon of={ArrowDown} />
              </Button>
            </li>
          )
        })}
        {hidden.map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={false} onChange={() => chooseNames([...shown, name])} />
              {schema.fields[name]?.label ?? name}
            </label>
          </li>
        ))}
      </ul>
      {(choice.names !== null || Object.keys(choice.widths).length > 0) && (
        <Button look="quiet" onPress={() => choose({ names: null, widths: {} })}>
          {words.reset}
        </Button>
      )}
    </fieldset>
  )
}

/** Returns the names with the one at a place and the next one swapped. */
function swapped(names: readonly string[], place: number): readonly string[] {
  return names.map((name, at) => {
    if (at === place) return names[place + 1] ?? name
    return at === place + 1 ? (names[place] ?? name) : name
  })
}
