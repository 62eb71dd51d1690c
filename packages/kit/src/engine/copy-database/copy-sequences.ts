import type { BulkSession } from "../../ports/bulk-session.ts"
import { isNotOfExtension } from "./copy-scope.ts"

/** The current value of a sequence. */
interface SequenceValue {
  /** The sequence's name with its schema, quoted where necessary. */
  readonly name: string
  readonly lastValue: string
  readonly isCalled: boolean
}

/** Reads the current value of every sequence, including the sequences of identity columns. */
export async function readSequences(
  source: BulkSession,
  schemas: readonly string[],
): Promise<readonly SequenceValue[]> {
  const { rows } = await source.query({
    text: `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1::text[]) and c.relkind = 'S' and ${isNotOfExtension("pg_class", "c.oid")}`,
    values: [schemas],
  })
  const values: SequenceValue[] = []
  for (const [name] of rows) {
    const { rows: found } = await source.query({
      text: `select last_value::text, is_called from ${String(name)}`,
      values: [],
    })
    const [lastValue, isCalled] = found[0] ?? []
    values.push({ name: String(name), lastValue: String(lastValue), isCalled: isCalled === true })
  }
  return values
}

/** Sets the sequences of the target database to these values. */
export async function writeSequences(target: BulkSession, values: readonly SequenceValue[]): Promise<void> {
  for (const { name, lastValue, isCalled } of values) {
    await target.query({
      text: "select setval($1::text::regclass, $2::bigint, $3::boolean)",
      values: [name, lastValue, isCalled],
    })
  }
}
