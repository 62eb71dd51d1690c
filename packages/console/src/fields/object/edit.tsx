import { X } from "lucide-react"
import { useForm } from "../../form/form-context.ts"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { useWords } from "../../words/words.ts"
import { GroupFrame } from "../group/group-frame.tsx"
import type { GroupProps } from "../group/group-props.ts"
import { useSelection } from "../group/use-selection.ts"
import { Members } from "./members.tsx"

/** Edits an object by its members. One that may be missing can be emptied as a whole. */
export function ObjectEdit({ part, path, Part, mark }: GroupProps) {
  const words = useWords("parts")
  const { store, isReadOnly } = useForm()
  const isMissing = useSelection(path, (value) => value === null || value === undefined)
  const canEmpty = !part.required && !isMissing && !isReadOnly(path[0])
  const empty = (
    <Button look="icon" aria-label={words.empty(part.label)} onPress={() => store.write(path, null)}>
      <Icon of={X} />
    </Button>
  )
  return (
    <GroupFrame part={part} path={path} mark={mark} className="object" note={canEmpty && empty}>
      <Members fields={part.fields ?? {}} path={path} Part={Part} />
    </GroupFrame>
  )
}
