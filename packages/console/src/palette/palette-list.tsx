import type { Command, Section } from "./command.ts"
import { markedParts } from "./matching.ts"

interface PaletteListProps {
  readonly listId: string
  readonly sections: readonly Section[]
  readonly active: Command | undefined
  /** The words that are marked. */
  readonly words: readonly string[]
  readonly onHover: (id: string) => void
  readonly onRun: (command: Command, isInNewTab: boolean) => void
}

/** The commands below their headings. The focus stays in the input, which names the active one. */
export function PaletteList({ listId, sections, active, words, onHover, onRun }: PaletteListProps) {
  return (
    <div className="palette-list" role="listbox" id={listId} aria-label={sections.map(({ title }) => title).join(", ")}>
      {sections.map(({ title, commands }) => (
        <div key={commands[0]?.id} role="group" aria-label={title}>
          <div className="menu-group" aria-hidden>
            {title}
          </div>
          {commands.map((command) => (
            <div
              key={command.id}
              id={optionId(listId, command.id)}
              role="option"
              aria-selected={command === active}
              className={command === active ? "menu-item at" : "menu-item"}
              onMouseMove={() => command !== active && onHover(command.id)}
              onClick={(event) => onRun(command, event.metaKey || event.ctrlKey)}
            >
              {command.icon}
              <span className="palette-label">
                <Marked text={command.label} words={words} />
              </span>
              {command.hint && <small className="end">{command.hint}</small>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

export function optionId(listId: string, id: string): string {
  return `${listId}-${id}`
}

function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  let at = 0
  return markedParts(text, words).map((part) => {
    const key = at
    at += part.text.length
    return part.isMarked ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>
  })
}
