import type { BulkSession } from "../../ports/bulk-session.ts"
import { isNotOfExtension, JOURNAL_TABLE } from "./copy-scope.ts"
import type { CopyStep } from "./copy-step.ts"

/** A table whose rows are copied from the source database into the target database. */
export interface CopiedTable {
  /** The table's name with its schema, quoted where necessary. */
  readonly name: string
  /** The quoted column names, without the columns that the target database generates itself. */
  readonly columns: readonly string[]
  readonly blocks: number
  readonly create: CopyStep
}

/** Reads the tables of these PostgreSQL schemas, without the tables' constraints and indexes. */
export async function readTables(session: BulkSession, schemas: readonly string[]): Promise<readonly CopiedTable[]> {
  const columns = await readColumns(session, schemas)
  const { rows } = await session.query({
    text: `select c.oid::text, format('%I.%I', n.nspname, c.relname), c.relpersistence = 'u',
        (select string_agg(format('%I = %L', option_name, option_value), ', ') from pg_options_to_table(c.reloptions)),
        pg_relation_size(c.oid) / current_setting('block_size')::bigint
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1::text[]) and c.relkind = 'r' and c.relname <> '${JOURNAL_TABLE}'
        and ${isNotOfExtension("pg_class", "c.oid")}
      order by n.nspname, c.relname`,
    values: [schemas],
  })
  return rows.map(([oid, name, isUnlogged, options, blocks]) => {
    const own = columns.get(String(oid)) ?? []
    const kind = isUnlogged === true ? "unlogged table" : "table"
    const storage = options === null ? "" : ` with (${String(options)})`
    const definitions = own.map(({ definition }) => definition).join(", ")
    return {
      name: String(name),
      columns: own.filter(({ isCopied }) => isCopied).map((column) => column.name),
      blocks: Number(blocks),
      create: { title: `table ${String(name)}`, sql: `create ${kind} ${String(name)} (${definitions})${storage}` },
    }
  })
}

interface ColumnDefinition {
  readonly name: string
  readonly definition: string
  readonly isCopied: boolean
}

// An SQL condition that is true for a column whose default is the current transaction id. Such a column is not copied,
// because the source's transaction ids mean nothing on another server. Copied rows get the id of the transaction that
// copies them.
const IS_TRANSACTION_ID = `coalesce(a.atttypid = 'xid8'::regtype
  and pg_get_expr(d.adbin, d.adrelid) = 'pg_current_xact_id()', false)`

const DEFINITION = `concat(
  format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)),
  case when a.attcollation <> t.typcollation then format(' collate %I.%I', l.nspname, o.collname) end,
  case when a.attgenerated <> '' then format(' generated always as (%s) %s', pg_get_expr(d.adbin, d.adrelid),
      case a.attgenerated when 's' then 'stored' else 'virtual' end)
    else ' default ' || pg_get_expr(d.adbin, d.adrelid) end,
  case when a.attidentity <> '' then format(' generated %s as identity (sequence name %I.%I %s)',
      case a.attidentity when 'a' then 'always' else 'by default' end, i.nspname, i.relname, i.options) end,
  case when a.attnotnull then ' not null' end)`

/** An SQL expression for a sequence's options, in the syntax that `create sequence` and identity columns share. */
export const SEQUENCE_OPTIONS = `format('increment by %s minvalue %s maxvalue %s start with %s cache %s %s',
  s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache, case when s.seqcycle then 'cycle' else 'no cycle' end)`

async function readColumns(session: BulkSession, schemas: readonly string[]): Promise<Map<string, ColumnDefinition[]>> {
  const { rows } = await session.query({
    text: `select a.attrelid::text, quote_ident(a.attname), ${DEFINITION}, a.attgenerated = '' and not ${IS_TRANSACTION_ID}
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        left join pg_collation o on o.oid = a.attcollation
        left join pg_namespace l on l.oid = o.collnamespace
        left join lateral (
          select sn.nspname, sc.relname, ${SEQUENCE_OPTIONS} as options
          from pg_depend p join pg_class sc on sc.oid = p.objid and sc.relkind = 'S'
            join pg_namespace sn on sn.oid = sc.relnamespace join pg_sequence s on s.seqrelid = sc.oid
          where p.classid = 'pg_class'::regclass and p.refclassid = 'pg_class'::regclass
            and p.refobjid = a.attrelid and p.refobjsubid = a.attnum and p.deptype = 'i') i on true
      where n.nspname = any($1::text[]) and c.relkind = 'r'
      order by a.attrelid, a.attnum`,
    values: [schemas],
  })
  const columns = new Map<string, ColumnDefinition[]>()
  for (const [oid, name, definition, isCopied] of rows) {
    const own = columns.get(String(oid)) ?? []
    own.push({ name: String(name), definition: String(definition), isCopied: isCopied === true })
    columns.set(String(oid), own)
  }
  return columns
}
