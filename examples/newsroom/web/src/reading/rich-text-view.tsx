import type { RichText, RichTextNode } from "kit/client"
import { createElement, Fragment, type ReactNode } from "react"
import { safeAddress } from "./safe-address.ts"

type RichTextMark = NonNullable<RichTextNode["marks"]>[number]

/**
 * Shows a rich text as elements of React. Nothing of it is used as markup, so a text cannot bring a script into the page.
 * A node of an unknown type shows its content.
 */
export function RichTextView({ value }: { readonly value: RichText | null }) {
  return value && children(value)
}

type NodeView = (content: ReactNode, node: RichTextNode) => ReactNode

const NODES: ReadonlyMap<string, NodeView> = new Map(
  Object.entries<NodeView>({
    paragraph: (content) => <p>{content}</p>,
    heading: (content, { attrs }) =>
      attrs?.["level"] === 1 || attrs?.["level"] === 2 ? <h2>{content}</h2> : <h3>{content}</h3>,
    blockquote: (content) => <blockquote>{content}</blockquote>,
    bullet_list: (content) => <ul>{content}</ul>,
    bulletList: (content) => <ul>{content}</ul>,
    ordered_list: (content) => <ol>{content}</ol>,
    orderedList: (content) => <ol>{content}</ol>,
    list_item: (content) => <li>{content}</li>,
    listItem: (content) => <li>{content}</li>,
    code_block: (content) => (
      <pre>
        <code>{content}</code>
      </pre>
    ),
    table: (content) => (
      <table>
        <tbody>{content}</tbody>
      </table>
    ),
    table_row: (content) => <tr>{content}</tr>,
    table_cell: (content, node) => <td {...spanOf(node)}>{content}</td>,
    table_header: (content, node) => <th {...spanOf(node)}>{content}</th>,
    image: (_content, { attrs }) => {
      const src = safeAddress(attrs?.["src"])
      return src === undefined ? null : <img src={src} alt={String(attrs?.["alt"] ?? "")} loading="lazy" />
    },
    horizontal_rule: () => <hr />,
    horizontalRule: () => <hr />,
    hard_break: () => <br />,
    hardBreak: () => <br />,
  }),
)

type MarkView = (content: ReactNode, mark: RichTextMark) => ReactNode

const MARKS: ReadonlyMap<string, MarkView> = new Map(
  Object.entries<MarkView>({
    strong: (content) => <strong>{content}</strong>,
    bold: (content) => <strong>{content}</strong>,
    em: (content) => <em>{content}</em>,
    italic: (content) => <em>{content}</em>,
    code: (content) => <code>{content}</code>,
    strike: (content) => <s>{content}</s>,
    link: (content, { attrs }) => {
      const href = safeAddress(attrs?.["href"])
      return href === undefined ? content : <a href={href}>{content}</a>
    },
  }),
)

function children({ content = [] }: Pick<RichTextNode, "content">): ReactNode {
  // As arguments, the nodes need no keys: the text does not change node by node.
  return createElement(Fragment, null, ...content.map(viewOf))
}

function viewOf(node: RichTextNode): ReactNode {
  if (node.type === "text") return marked(node)
  const content = children(node)
  return NODES.get(node.type)?.(content, node) ?? content
}

function marked({ text = "", marks = [] }: RichTextNode): ReactNode {
  return marks.reduce<ReactNode>((content, mark) => MARKS.get(mark.type)?.(content, mark) ?? content, text)
}

function spanOf({ attrs }: RichTextNode): { readonly colSpan: number; readonly rowSpan: number } {
  return { colSpan: Number(attrs?.["colspan"] ?? 1), rowSpan: Number(attrs?.["rowspan"] ?? 1) }
}
