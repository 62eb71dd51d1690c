import { Children, type ReactNode } from "react"
import { richTextWords } from "../items/excerpt.ts"
import { richTextOf, type TextMark, type TextNode } from "./schema/rich-text-json.ts"
import { isSafeAddress } from "./schema/safe-address.ts"

/** Shows a rich text that is not edited here. What it does not know, it shows by its name. */
export function RichTextView({ value }: { readonly value: unknown }) {
  return <>{childrenOf(richTextOf(value) ?? { type: "doc" })}</>
}

function childrenOf({ content = [] }: TextNode): ReactNode {
  // Nodes have no ids, and the text is replaced as a whole: their places are their keys.
  return Children.toArray(content.map(nodeOf))
}

function nodeOf(node: TextNode): ReactNode {
  const { type, attrs, text, marks = [] } = node
  const draw = NODES[type]
  if (type === "text") return marks.reduce(marked, text)
  if (draw) return draw(childrenOf(node), attrs ?? {})
  return (
    <span className="sealed-node">
      <span className="kind">{type}</span>
      <span className="excerpt">{richTextWords(node)}</span>
    </span>
  )
}

type Draw = (children: ReactNode, attrs: Readonly<Record<string, unknown>>) => ReactNode

const NODES: Readonly<Record<string, Draw>> = {
  paragraph: (children) => <p>{children}</p>,
  heading: (children, { level }) => headingOf(Number(level), children),
  blockquote: (children) => <blockquote>{children}</blockquote>,
  bullet_list: (children) => <ul>{children}</ul>,
  ordered_list: (children, { order }) => <ol start={Number(order ?? 1)}>{children}</ol>,
  list_item: (children) => <li>{children}</li>,
  code_block: (children) => (
    <pre>
      <code>{children}</code>
    </pre>
  ),
  horizontal_rule: () => <hr />,
  hard_break: () => <br />,
  image: (_children, { src, alt }) => <img src={String(src)} alt={String(alt ?? "")} loading="lazy" />,
  table: (children) => (
    <table>
      <tbody>{children}</tbody>
    </table>
  ),
  table_row: (children) => <tr>{children}</tr>,
  table_cell: (children, { colspan, rowspan }) => (
    <td colSpan={Number(colspan ?? 1)} rowSpan={Number(rowspan ?? 1)}>
      {children}
    </td>
  ),
  table_header: (children, { colspan, rowspan }) => (
    <th colSpan={Number(colspan ?? 1)} rowSpan={Number(rowspan ?? 1)}>
      {children}
    </th>
  ),
}

function headingOf(level: number, children: ReactNode): ReactNode {
  if (level <= 1) return <h1>{children}</h1>
  if (level === 2) return <h2>{children}</h2>
  return level === 3 ? <h3>{children}</h3> : <h4>{children}</h4>
}

function marked(children: ReactNode, { type, attrs }: TextMark): ReactNode {
  const href = String(attrs?.["href"] ?? "")
  if (type === "strong") return <strong>{children}</strong>
  if (type === "em") return <em>{children}</em>
  if (type === "code") return <code>{children}</code>
  if (type === "strike") return <s>{children}</s>
  if (type !== "link" || !isSafeAddress(href)) return children
  return (
    <a href={href} rel="noopener noreferrer" target="_blank">
      {children}
    </a>
  )
}
