import type { BlockType, FieldMember, FieldType } from "../../schema/compile/field-type.ts"
import { isProse } from "../../schema/search/searched-text.ts"
import { jsonListSql } from "../text/json-value.ts"

/**
 * Returns the SQL of the text of a rich text. Joins the text nodes of each paragraph without a space, because a word can
 * have a part in bold, and the paragraphs by line breaks. Any other node within a paragraph, such as an image, separates
 * words.
 */
export function documentText(document: string): string {
  const words = "string_agg(coalesce(_part->>'text', ' '), '')"
  const paragraph = `(select ${words} from jsonb_array_elements(_node->'content') _part)`
  return `(select string_agg(${paragraph}, E'\\n') from jsonb_path_query(${document}, '${WITH_TEXT}', silent => true) _node)`
}

const WITH_TEXT = 'strict $.** ? (exists (@.content[*] ? (@.type == "text")))'

/** Returns the SQL of the text in a list of blocks: that of each text, textarea and rich text, in the order of the items. */
export function blocksText(list: string, type: FieldType): string {
  return itemsText(list, { depth: 0, ofItem: (item) => blockText(item, type.blocks ?? new Map(), 1) }) ?? "null"
}

function blockText(item: string, blocks: ReadonlyMap<string, BlockType>, depth: number): string | undefined {
  const cases = [...blocks.values()].flatMap(({ name, members }) => {
    const text = membersText(item, members, depth)
    return text === undefined ? [] : [`when '${name}' then ${text}`]
  })
  return cases.length === 0 ? undefined : `case ${item}->>'type' ${cases.join(" ")} end`
}

function membersText(object: string, members: readonly FieldMember[], depth: number): string | undefined {
  const texts = members.flatMap(({ name, type }) => valueText(`(${object}->'${name}')`, type, depth) ?? [])
  // An array, because a function takes at most 100 arguments.
  return texts.length === 0 ? undefined : `array_to_string(array[${texts.join(", ")}]::text[], E'\\n')`
}

// Returns the SQL of the text of a JSON value; undefined if values of the type have no text to search.
function valueText(json: string, type: FieldType, depth: number): string | undefined {
  const { blocks, element, members } = type
  if (isProse(type)) return type.name === "richText" ? documentText(json) : `(${json} #>> '{}')`
  if (blocks) return itemsText(json, { depth, ofItem: (item) => blockText(item, blocks, depth + 1) })
  if (element) return itemsText(json, { depth, ofItem: (item) => valueText(item, element, depth + 1) })
  return members && membersText(json, members, depth)
}

interface Items {
  /** The number of lists around the list, which makes the names of their rows distinct. */
  readonly depth: number
  ofItem(item: string): string | undefined
}

function itemsText(list: string, { depth, ofItem }: Items): string | undefined {
  const row = `_items${depth}`
  const text = ofItem(`${row}.item`)
  if (text === undefined) return undefined
  const rows = `jsonb_array_elements(${jsonListSql(list)}) with ordinality ${row}(item, place)`
  return `(select string_agg(nullif(${text}, ''), E'\\n' order by ${row}.place) from ${rows})`
}
