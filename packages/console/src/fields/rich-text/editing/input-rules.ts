import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules"
import type { MarkType, NodeType, Schema } from "prosemirror-model"
import type { Plugin } from "prosemirror-state"

/** Understands the signs of Markdown while they are typed, as far as the vocabulary has what they mean. */
export function markdownRules({ nodes, marks }: Schema): Plugin {
  const rules: InputRule[] = []
  const { heading, blockquote, bullet_list, ordered_list, code_block, horizontal_rule } = nodes
  if (heading) rules.push(textblockTypeInputRule(/^(#{1,4})\s$/, heading, (match) => ({ level: match[1]?.length })))
  if (blockquote) rules.push(wrappingInputRule(/^\s*>\s$/, blockquote))
  if (bullet_list) rules.push(wrappingInputRule(/^\s*([-+*])\s$/, bullet_list))
  if (ordered_list) rules.push(numberedList(ordered_list))
  if (code_block) rules.push(textblockTypeInputRule(/^```$/, code_block))
  if (horizontal_rule) rules.push(ruleOfDashes(horizontal_rule))
  if (marks["strong"]) rules.push(markedText(/(^|[^*\w])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks["strong"]))
  if (marks["em"]) {
    rules.push(markedText(/(^|[^*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/, marks["em"]))
    rules.push(markedText(/(^|[^_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, marks["em"]))
  }
  if (marks["strike"]) rules.push(markedText(/(^|[^~\w])~~([^~\s](?:[^~]*[^~\s])?)~~$/, marks["strike"]))
  if (marks["code"]) rules.push(markedText(/(^|[^`\w])`([^`\s](?:[^`]*[^`\s])?)`$/, marks["code"]))
  return inputRules({ rules })
}

function numberedList(type: NodeType): InputRule {
  return wrappingInputRule(
    /^(\d{1,4})\.\s$/,
    type,
    (match) => ({ order: Number(match[1]) }),
    (match, before) => before.childCount + before.attrs["order"] === Number(match[1]),
  )
}

function ruleOfDashes(type: NodeType): InputRule {
  return new InputRule(/^---$/, (state, _match, start) => {
    const $start = state.doc.resolve(start)
    const around = $start.node(-1)
    const index = $start.index(-1)
    if (!around.canReplaceWith(index, index, type)) return null
    return state.tr.delete($start.start(), $start.end()).insert($start.before(), type.create())
  })
}

// Takes the signs on both sides away, and marks what is between them. The last sign is typed just now and not in the text.
function markedText(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(pattern, (...given) => {
    const [state, match, start, end] = given
    const [whole, before = "", text = ""] = match
    const sign = (whole.length - before.length - text.length) / 2
    const from = start + before.length
    const { tr } = state
    tr.delete(end - (sign - 1), end).delete(from, from + sign)
    return tr.addMark(from, from + text.length, type.create()).removeStoredMark(type)
  })
}
