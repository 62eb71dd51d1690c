import type { Node } from "prosemirror-model"
import type { NodeViewConstructor } from "prosemirror-view"
import { richTextWords } from "../../items/excerpt.ts"
import type { EditorSchema } from "../schema/editor-schema.ts"

/** Shows a node without an editor of its own as one sealed piece, with its name and the words in it. */
export function sealedViews({ schema, sealed }: EditorSchema): Readonly<Record<string, NodeViewConstructor>> {
  return Object.fromEntries(
    [...sealed].filter((name) => schema.nodes[name]).map((name) => [name, (node: Node) => ({ dom: pieceOf(node) })]),
  )
}

function pieceOf(node: Node): HTMLElement {
  const { isInline } = node
  const piece = document.createElement(isInline ? "span" : "div")
  piece.className = isInline ? "sealed-node inline" : "sealed-node"
  piece.contentEditable = "false"
  const name = document.createElement("span")
  name.className = "kind"
  name.textContent = node.type.name
  const words = document.createElement("span")
  words.className = "excerpt"
  words.textContent = richTextWords(node.toJSON())
  piece.append(name, words)
  return piece
}
