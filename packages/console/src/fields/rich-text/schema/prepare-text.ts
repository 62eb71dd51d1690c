import type { PartSchema } from "kit/client"
import type { Node } from "prosemirror-model"
import { type EditorSchema, editorSchemaFor } from "./editor-schema.ts"
import { findLoss, type Loss } from "./find-loss.ts"
import { richTextOf } from "./rich-text-json.ts"
import { documentOf } from "./text-values.ts"

interface PreparedText {
  readonly editorSchema: EditorSchema
  readonly document: Node
}

interface LossyText {
  readonly loss: Loss
}

// A vocabulary that no text can be written with is one of which the editor knows nothing.
const NO_EDITOR: LossyText = { loss: { kind: "content", name: "doc" } }

/** Makes the document of a value, or says what the editor would lose of it. */
export function prepareText({ vocabulary }: PartSchema, value: unknown): PreparedText | LossyText {
  const text = richTextOf(value)
  if (vocabulary === undefined) return NO_EDITOR
  try {
    const editorSchema = editorSchemaFor(vocabulary, text)
    const loss = text?.content?.length ? findLoss(editorSchema.schema, text) : undefined
    return loss ? { loss } : { editorSchema, document: documentOf(editorSchema.schema, text) }
  } catch {
    return NO_EDITOR
  }
}

export function isLossy(prepared: PreparedText | LossyText): prepared is LossyText {
  return "loss" in prepared
}
