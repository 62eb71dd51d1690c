import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import { GroupFrame } from "../group/group-frame.tsx"
import type { GroupProps } from "../group/group-props.ts"
import { useSelection, useStablePath } from "../group/use-selection.ts"
import { AddItem } from "../items/add-item.tsx"
import { copied } from "../items/copied.ts"
import { excerptOf, excerptOfPart } from "../items/excerpt.ts"
import { FoldedItems } from "../items/folded-items.tsx"
import type { ItemPlace } from "../items/item.tsx"
import { ListNote } from "../items/list-note.tsx"
import { useItemKeys, useItemList } from "../items/use-item-list.ts"
import { Members } from "../object/members.tsx"
import { PlainItems } from "./plain-items.tsx"

// Items with parts of their own, or with pages of text, are folded. All others stand in one line each.
const FOLDED_TYPES = new Set(["object", "array", "blocks", "richText"])

/** Edits a list of values of one type. */
export function ArrayEdit(props: GroupProps) {
  const { part, path, Part, mark } = props
  const words = useWords("parts")
  const { isReadOnly } = useForm()
  const keys = useItemKeys(path)
  const state = useItemList(path, part)
  const item = part.items
  if (item === undefined) return null
  const { maxItems = Number.POSITIVE_INFINITY } = part.limits
  const isFull = keys.length >= maxItems
  const add = (index: number) => state.list.insert(index, [newItem(item.type)])
  const canAdd = !isReadOnly(path[0])
  const list = { part: item, path, Part, state, keys }
  return (
    <GroupFrame part={part} path={path} mark={mark} note={<ListNote count={keys.length} limits={part.limits} />}>
      {FOLDED_TYPES.has(item.type) ? (
        <FoldedItems
          {...list}
          label={part.label}
          actions={isFull ? ["up", "down", "remove"] : ["up", "down", "duplicate", "remove"]}
          onAction={(_action, index) => state.list.insert(index + 1, [copied(item, state.list.read()[index])])}
          Head={ItemHead}
          Body={item.fields ? ObjectBody : PartBody}
        />
      ) : (
        <PlainItems {...list} label={part.label} isFull={isFull} onAdd={add} />
      )}
      {canAdd && <AddItem label={words.addTo(part.label)} isFull={isFull} onAdd={() => add(keys.length)} />}
    </GroupFrame>
  )
}

function newItem(type: string): unknown {
  if (type === "object") return {}
  return type === "array" || type === "blocks" ? [] : null
}

function ItemHead({ part, path, index }: ItemPlace) {
  const words = useWords("parts")
  const { fields } = part
  const excerpt = useSelection(path, (value) => (fields ? excerptOf(fields, value) : excerptOfPart(part, value)))
  return (
    <>
      <span className="kind number">{index + 1}</span>
      <span className={excerpt ? "excerpt title" : "excerpt"}>{excerpt || words.noText}</span>
    </>
  )
}

function ObjectBody({ part, path, Part }: ItemPlace) {
  return <Members fields={part.fields ?? {}} path={path} Part={Part} />
}

function PartBody({ part, path, Part }: ItemPlace) {
  return <Part part={part} path={useStablePath(path)} />
}
