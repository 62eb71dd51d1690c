import { Plus } from "lucide-react"
import { type KeyboardEvent, useState } from "react"
import { Icon } from "../../../parts/icon.tsx"
import { keyText } from "../../../parts/key-text.ts"
import { useWords } from "../../../words/words.ts"
import type { Face } from "../face.ts"
import { FaceLine, type FaceLineProps } from "../record-face.tsx"
import type { Target } from "../use-target.ts"
import { type Choice, Combobox } from "./combobox.tsx"
import { isSearchable, useOptions } from "./use-options.ts"

interface RecordPickerProps {
  /** Undefined while the description of the collection is on its way. */
  readonly target: Target | undefined
  readonly locale: string
  readonly label: string
  readonly inputId?: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  readonly isRequired?: boolean
  readonly placeholder?: string
  readonly isOpenFromStart?: boolean
  /** The records that are related already. They are shown, and cannot be chosen. */
  readonly taken?: readonly string[]
  readonly onChoose: (face: Face) => void
  /** Makes a new record of what was typed. Left out if the person may not create any. */
  readonly onCreate?: ((text: string) => void) | undefined
  /** Called for Backspace in the empty input. */
  readonly onBackspace?: () => void
  readonly onLeave?: () => void
  /** Called when the list is closed. */
  readonly onClose?: () => void
}

const CREATE = "_create"

/** Finds a record of a collection by its title: an input with the records that match what is typed. */
export function RecordPicker(props: RecordPickerProps) {
  const { target, locale, taken = [], onChoose, onCreate, onBackspace, onClose, onLeave, ...input } = props
  const words = useWords("relations")
  const [text, setText] = useState("")
  const [isOpen, setIsOpen] = useState(false)
  const { faces, isCurrent, error } = useOptions(target, { text, locale, isOpen })
  const singular = target?.schema.singularLabel ?? ""
  const choose = (id: string) => {
    setText("")
    if (id === CREATE) return onCreate?.(text.trim())
    const face = faces?.find((found) => found.id === id)
    if (face) onChoose(face)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && onCreate) {
      choose(CREATE)
      return true
    }
    if (event.key !== "Backspace" || text !== "" || !onBackspace) return false
    onBackspace()
    return true
  }
  const choices = (faces ?? []).map((face): Choice => {
    const isTaken = taken.includes(face.id)
    const line = { face, target, match: text.trim(), end: isTaken ? words.linked : undefined }
    return { id: face.id, text: face.title ?? words.untitled, isDisabled: isTaken, content: faceLine(line) }
  })
  const line = error ? words.failed : faces && emptyLine(words, { target, text: text.trim(), count: faces.length })
  return (
    <Combobox
      {...input}
      text={text}
      onText={setText}
      choices={onCreate && target ? [...choices, createChoice(words.create(singular, text.trim()))] : choices}
      isCurrent={isCurrent}
      line={line}
      onChoose={choose}
      onOpenChange={(open) => {
        setIsOpen(open)
        if (!open) onClose?.()
      }}
      onKey={onKey}
      onLeave={() => {
        setText("")
        onLeave?.()
      }}
    />
  )
}

function faceLine(line: FaceLineProps) {
  return <FaceLine {...line} />
}

function createChoice(text: string): Choice {
  const content = (
    <>
      <Icon of={Plus} />
      <span>{text}</span>
      <span className="end key">{keyText("⌘Enter")}</span>
    </>
  )
  return { id: CREATE, text, isAction: true, content }
}

interface Found {
  readonly target: Target | undefined
  readonly text: string
  readonly count: number
}

function emptyLine(
  words: ReturnType<typeof useWords<"relations">>,
  { target, text, count }: Found,
): string | undefined {
  if (text !== "" && target && !isSearchable(target)) return words.notSearchable
  if (count > 0) return undefined
  return text === "" ? words.nothingThere : words.nothingFound(text)
}
