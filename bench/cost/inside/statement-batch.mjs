import { splitMessages, textAt } from "./wire-messages.mjs"

/**
 * @typedef {object} Batch what a client sends before it waits for an answer
 * @property {boolean} isComplete  false while more of it has to come
 * @property {number} end          where it ends in the bytes
 * @property {string} key          the same for the same statements, whatever their parameters are
 * @property {number} statements
 * @property {boolean} isAnswered  true if the server will say that it is ready
 * @typedef {Map<string, { text: string, number: number }>} Names the statements that a session knows by a name; the last
 *   of those without a name has an empty one
 * @typedef {{ text: string, values: (string | Uint8Array | null)[] }} BoundStatement
 */

const [PARSE, BIND, EXECUTE, QUERY, SYNC] = ["P", "B", "E", "Q", "S"]
const ANSWERED = new Set([QUERY, SYNC])
// After one of these, more of the batch follows. Everything else, such as the end of the session, completes it.
const PARTS = new Set([PARSE, BIND, EXECUTE, "D", "C"])
const BINARY = 1
const NULL_LENGTH = -1

/** Numbers stand for SQL in keys, so that making a key hardly allocates. @type {Map<string, number>} */
const numbers = new Map()

/** Describes the first batch, and notes the names that it gives. @param {Buffer} bytes @param {Names} names @returns {Batch} */
export function describeBatch(bytes, names) {
  let [key, statements] = ["", 0]
  for (const { type, start, end } of splitMessages(bytes).messages) {
    key += type
    if (type === EXECUTE || type === QUERY) statements += 1
    if (type === QUERY) key += numberOf(textAt(bytes, start).text)
    if (type === BIND) key += names.get(textAt(bytes, textAt(bytes, start).next).text)?.number
    if (type === PARSE) {
      const name = textAt(bytes, start)
      const { text } = textAt(bytes, name.next)
      names.set(name.text, { text, number: numberOf(text) })
    }
    if (!PARTS.has(type)) return { isComplete: true, end, key, statements, isAnswered: ANSWERED.has(type) }
  }
  return { isComplete: false, end: 0, key, statements, isAnswered: false }
}

/** @param {string} text */
function numberOf(text) {
  const number = numbers.get(text) ?? numbers.size
  numbers.set(text, number)
  return number
}

/** Returns the statements of a batch that have parameters. @param {Buffer} bytes @param {Names} names @returns {BoundStatement[]} */
export function boundStatements(bytes, names) {
  const binds = splitMessages(bytes).messages.filter(({ type }) => type === BIND)
  return binds.map(({ start }) => {
    const name = textAt(bytes, textAt(bytes, start).next)
    return { text: String(names.get(name.text)?.text), values: valuesAt(bytes, name.next) }
  })
}

/**
 * Reads the parameters of a Bind message: the number of their formats, the formats, the number of values, and each value
 * with its length before it. One format holds for all values, none means text.
 *
 * @param {Buffer} bytes
 * @param {number} start
 */
function valuesAt(bytes, start) {
  const formats = bytes.readInt16BE(start)
  const isBinary = (/** @type {number} */ index) =>
    formats > 0 && bytes.readInt16BE(start + 2 + 2 * (formats === 1 ? 0 : index)) === BINARY
  const countAt = start + 2 + 2 * formats
  let at = countAt + 2
  return Array.from({ length: bytes.readInt16BE(countAt) }, (_, index) => {
    const length = bytes.readInt32BE(at)
    const value = bytes.subarray(at + 4, at + 4 + Math.max(length, 0))
    at += 4 + value.length
    if (length === NULL_LENGTH) return null
    return isBinary(index) ? Uint8Array.from(value) : value.toString()
  })
}
