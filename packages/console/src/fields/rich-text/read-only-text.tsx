import type { TextLanguage } from "../../form/text-language.ts"
import { RichTextView } from "./rich-text-view.tsx"

interface ReadOnlyTextProps {
  readonly value: unknown
  /** The id of the label. */
  readonly label: string | undefined
  /** Why the text cannot be edited, where the person does not expect it. */
  readonly note?: string
  readonly language?: TextLanguage
}

/** A rich text that is only read here. */
export function ReadOnlyText({ value, label, note = "", language }: ReadOnlyTextProps) {
  return (
    <div className="rich-text">
      {note && (
        <p className="text-note" role="note">
          {note}
        </p>
      )}
      <section className="prose read-only" aria-labelledby={label} {...language}>
        <RichTextView value={value} />
      </section>
    </div>
  )
}
