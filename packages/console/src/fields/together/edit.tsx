import { type ComponentType, Suspense, useId, useMemo } from "react"
import { useForm } from "../../form/form-context.ts"
import { useTextLanguage } from "../../form/text-language.ts"
import { loadable } from "../../parts/loadable.tsx"
import { useWords } from "../../words/words.ts"
import { GroupFrame } from "../group/group-frame.tsx"
import type { GroupProps } from "../group/group-props.ts"
import { useSelection } from "../group/use-selection.ts"
import { textAttributes } from "../rich-text/edit.tsx"
import { ReadOnlyText } from "../rich-text/read-only-text.tsx"
import type { TextPart } from "../rich-text/text-part.ts"
import { ValueText } from "../value-text.tsx"

// Each brings the client of shared documents along, which most records do not need.
const EDITORS: Readonly<Record<string, ComponentType<TextPart>>> = {
  richText: loadable(async () => (await import("./shared-rich-text.tsx")).SharedRichText),
  textarea: loadable(async () => (await import("./shared-textarea.tsx")).SharedTextarea),
  json: loadable(async () => (await import("./shared-json.tsx")).SharedJson),
}

/**
 * Edits a field that several people edit at the same time, in its document. Its text is saved as it is typed, and never
 * with the form. Who may not edit it sees its value.
 */
export function TogetherEdit({ part, path, mark }: GroupProps) {
  const id = useId()
  const words = useWords("parts").shared
  const { isReadOnly } = useForm()
  const { lang, dir } = useTextLanguage(path[0])
  const attributes = useMemo(
    () => ({ ...textAttributes(id, part.required), ...(lang && dir && { lang, dir }) }),
    [id, part.required, lang, dir],
  )
  const Editor = isReadOnly(path[0]) ? undefined : EDITORS[part.type]
  const text = { part, path, attributes }
  return (
    <GroupFrame
      part={part}
      path={path}
      mark={mark}
      labelId={`${id}-label`}
      note={Editor && <span className="shared-state">{words.savedAsYouType}</span>}
    >
      {Editor ? (
        <Suspense fallback={<CurrentValue {...text} />}>
          <Editor {...text} />
        </Suspense>
      ) : (
        <CurrentValue {...text} />
      )}
    </GroupFrame>
  )
}

/** The value as the record has it. */
function CurrentValue({ part, path, attributes }: TextPart) {
  const value = useSelection(path, (current) => current)
  const language = useTextLanguage(path[0])
  if (part.type === "richText") {
    return <ReadOnlyText value={value} label={attributes["aria-labelledby"]} language={language} />
  }
  return (
    <div className="value-text" {...language}>
      <ValueText part={part} value={value} />
    </div>
  )
}
