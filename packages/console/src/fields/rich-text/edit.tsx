import { Suspense, useId, useMemo } from "react"
import { useForm } from "../../form/form-context.ts"
import { useTextLanguage } from "../../form/text-language.ts"
import { loadable } from "../../parts/loadable.tsx"
import { GroupFrame } from "../group/group-frame.tsx"
import type { GroupProps } from "../group/group-props.ts"
import { useSelection } from "../group/use-selection.ts"
import { ReadOnlyText } from "./read-only-text.tsx"
import type { TextPart } from "./text-part.ts"

// The editor is loaded when the first rich text is met. Until then the text can be read.
const RichTextEditor = loadable(async () => (await import("./rich-text-editor.tsx")).RichTextEditor)

/** Edits a rich text with the vocabulary of its field. */
export function RichTextEdit({ part, path, mark }: GroupProps) {
  const id = useId()
  const { isReadOnly } = useForm()
  const { lang, dir } = useTextLanguage(path[0])
  const attributes = useMemo(
    () => ({ ...textAttributes(id, part.required), ...(lang && dir && { lang, dir }) }),
    [id, part.required, lang, dir],
  )
  const text = { part, path, attributes }
  return (
    <GroupFrame part={part} path={path} mark={mark} labelId={`${id}-label`}>
      {isReadOnly(path[0]) ? (
        <CurrentText {...text} />
      ) : (
        <Suspense fallback={<CurrentText {...text} />}>
          <RichTextEditor {...text} />
        </Suspense>
      )}
    </GroupFrame>
  )
}

/** The text as the form has it, where it cannot be edited. */
export function CurrentText({ path, attributes }: TextPart) {
  const value = useSelection(path, (current) => current)
  return <ReadOnlyText value={value} label={attributes["aria-labelledby"]} language={useTextLanguage(path[0])} />
}

/** Returns the attributes that connect the element in which is typed with its label. */
export function textAttributes(id: string, isRequired: boolean): Readonly<Record<string, string>> {
  return { "aria-labelledby": `${id}-label`, ...(isRequired && { "aria-required": "true" }) }
}
