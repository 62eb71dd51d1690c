import { Square, SquareX } from "lucide-react"
import { Icon } from "../../parts/icon.tsx"
import { PlaceIcon } from "../../shell/place-icon.tsx"
import { useWords } from "../../words/words.ts"
import { useSelection } from "../group/use-selection.ts"
import { excerptOf } from "../items/excerpt.ts"
import type { ItemPlace } from "../items/item.tsx"
import { Members } from "../object/members.tsx"

/** Names a block in its head, by its kind and its first text. */
export function BlockHead({ part, path }: ItemPlace) {
  const words = useWords("parts")
  const type = useSelection(path, typeOf)
  const block = part.blocks?.[type]
  const excerpt = useSelection(path, (value) => (block ? excerptOf(block.fields, value) : ""))
  return (
    <>
      {block?.icon ? <PlaceIcon name={block.icon} /> : <Icon of={block ? Square : SquareX} />}
      <span className="kind">{block?.label ?? type}</span>
      <span className="excerpt">{block ? excerpt : words.unknownBlock}</span>
    </>
  )
}

/** The members of a block. One of a kind that the app no longer has is shown as it is stored. */
export function BlockBody({ part, path, Part }: ItemPlace) {
  const type = useSelection(path, typeOf)
  const block = part.blocks?.[type]
  if (block === undefined) return <SealedBlock path={path} />
  return <Members fields={block.fields} path={path} Part={Part} />
}

function SealedBlock({ path }: Pick<ItemPlace, "path">) {
  const words = useWords("parts")
  const block = useSelection(path, (value) => value)
  return (
    <div className="sealed">
      <p>{words.unknownBlockHint}</p>
      <pre>{JSON.stringify(block, null, 2)}</pre>
    </div>
  )
}

function typeOf(block: unknown): string {
  return String(Object(block).type ?? "")
}
