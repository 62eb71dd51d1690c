import * as Y from "yjs"
import { canonicalJson } from "../values/canonical-json.ts"
import { editMarkedText, insertionsOf } from "./edit-marked-text.ts"
import { type FormatsOf, formatsOf } from "./format-keys.ts"
import { listEdits } from "./list-edits.ts"
import { type ElementNode, NodeTrees, type TextNode, type TreeNode } from "./node-tree.ts"

/** The identity of a child that rich text cannot have. It equals no node of a value, so it is removed. */
const FOREIGN = -1

/** Changes the nodes of a fragment that differ from this content, and leaves the others as they are. */
export function editRichText(fragment: Y.XmlFragment, content: readonly unknown[]): void {
  const trees = new NodeTrees()
  const from = heldChildren(fragment, trees)
  const to = trees.ofContent(content)
  const nodes = from.flatMap(({ node }) => node ?? [])
  if (trees.areEqual(nodes, to)) return
  editChildren({ trees, formats: formatsOf(nodes, to) }, { parent: fragment, from, to })
}

interface Edit {
  readonly trees: NodeTrees
  readonly formats: FormatsOf
}

/** A child of a fragment or element, with its tree. */
interface HeldChild {
  readonly shared: unknown
  readonly node: TreeNode | undefined
}

function heldChildren(parent: Y.XmlFragment, trees: NodeTrees): HeldChild[] {
  return parent.toArray().map((shared: unknown) => ({ shared, node: trees.ofShared(shared) }))
}

interface Children {
  readonly parent: Y.XmlFragment
  readonly from: readonly HeldChild[]
  readonly to: readonly TreeNode[]
}

function editChildren(edit: Edit, { parent, from, to }: Children): void {
  const [only] = from
  if (to.length === 0 && from.length === 1 && only?.shared instanceof Y.XmlText) {
    // The text stays, so that what others type into it at the same time is not lost.
    only.shared.delete(0, only.shared.length)
    return
  }
  const edits = listEdits({
    from,
    to,
    fromIds: from.map(({ node }) => node?.id ?? FOREIGN),
    toIds: to.map(({ id }) => id),
    similarity: ({ node }, other) => (node === undefined ? 0 : similarity(node, other)),
  })
  for (const step of edits) {
    if (step.kind === "update") {
      editNode(edit, { held: from[step.index], target: step.item })
      continue
    }
    if (step.removed > 0) parent.delete(step.index, step.removed)
    if (step.inserted.length > 0)
      parent.insert(
        step.index,
        step.inserted.map((node) => makeNode(edit, node)),
      )
  }
}

function editNode(edit: Edit, { held, target }: { held: HeldChild | undefined; target: TreeNode }): void {
  const { shared, node } = held ?? {}
  if (shared instanceof Y.XmlText && node?.kind === "text" && target.kind === "text") {
    editMarkedText(shared, { from: node, to: target, formats: edit.formats })
  }
  if (shared instanceof Y.XmlElement && node?.kind === "element" && target.kind === "element") {
    editAttributes(shared, { from: node, to: target })
    editChildren(edit, { parent: shared, from: heldChildren(shared, edit.trees), to: target.children })
  }
}

function editAttributes(element: Y.XmlElement, { from, to }: { from: ElementNode; to: ElementNode }): void {
  for (const name of Object.keys(from.attributes)) {
    if (!Object.hasOwn(to.attributes, name)) element.removeAttribute(name)
  }
  for (const [name, value] of Object.entries(to.attributes)) {
    const isHeld = Object.hasOwn(from.attributes, name)
    if (isHeld && canonicalJson(from.attributes[name]) === canonicalJson(value)) continue
    setAttribute(element, { name, value })
  }
}

function makeNode(edit: Edit, node: TreeNode): Y.XmlElement | Y.XmlText {
  return node.kind === "text" ? makeText(edit, node) : makeElement(edit, node)
}

function makeText({ formats }: Edit, { runs }: TextNode): Y.XmlText {
  const text = new Y.XmlText()
  text.applyDelta(insertionsOf(runs, formats))
  return text
}

function makeElement(edit: Edit, { name, attributes, children }: ElementNode): Y.XmlElement {
  const element = new Y.XmlElement(name)
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(element, { name: attribute, value })
  element.insert(
    0,
    children.map((child) => makeNode(edit, child)),
  )
  return element
}

function setAttribute(element: Y.XmlElement, { name, value }: { name: string; value: unknown }): void {
  // The cast is safe: an attribute can have any JSON value, although the types of Yjs say text.
  element.setAttribute(name, value as string)
}

// Nodes of the same kind can be changed into each other. The more their texts have in common, the better.
function similarity(first: TreeNode, second: TreeNode): number {
  if (first.kind !== second.kind) return 0
  if (first.kind === "element" && second.kind === "element" && first.name !== second.name) return 0
  return 1 + commonPart(first.summary, second.summary)
}

function commonPart(first: string, second: string): number {
  const most = Math.min(first.length, second.length)
  let start = 0
  while (start < most && first[start] === second[start]) start++
  let end = 0
  while (end < most - start && first[first.length - 1 - end] === second[second.length - 1 - end]) end++
  return (start + end) / Math.max(first.length, second.length, 1)
}
