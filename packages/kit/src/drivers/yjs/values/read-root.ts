import type * as Y from "yjs"
import type { DocumentRoot } from "../../../ports/document-codec.ts"
import { readJsonRoot } from "./json-values.ts"
import { readRichText } from "./read-rich-text.ts"

/** Returns the value that a document's root holds. An empty text is "", an empty rich text has no content. */
export function readRoot(doc: Y.Doc, { name, shape }: DocumentRoot): unknown {
  switch (shape) {
    case "text":
      return doc.getText(name).toString()
    case "richText":
      return readRichText(doc.getXmlFragment(name))
    case "json":
      return readJsonRoot(doc.getMap(name))
    default:
      return shape satisfies never
  }
}
