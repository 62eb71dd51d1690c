import type { BulkSession } from "../../ports/bulk-session.ts"
import { isNotOfExtension } from "./copy-scope.ts"

const OF_CLASS = "from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any($1::text[])"
const OF_TYPE = "from pg_type t join pg_namespace n on n.oid = t.typnamespace where n.nspname = any($1::text[])"
const CLASS_NAME = "format('%I.%I', n.nspname, c.relname)"
const TYPE_NAME = "format('%I.%I', n.nspname, t.typname)"
const NOT_OF_EXTENSION = isNotOfExtension("pg_class", "c.oid")

/** Queries for the objects that a copy would lose. Each returns the kind and the name of such objects. */
const KINDS: readonly string[] = [
  `select 'partitioned table', ${CLASS_NAME} ${OF_CLASS} and c.relkind = 'p' and ${NOT_OF_EXTENSION}`,
  `select 'foreign table', ${CLASS_NAME} ${OF_CLASS} and c.relkind = 'f' and ${NOT_OF_EXTENSION}`,
  `select 'table that inherits', ${CLASS_NAME} ${OF_CLASS} and c.relkind = 'r' and not c.relispartition
     and exists (select from pg_inherits i where i.inhrelid = c.oid)`,
  `select 'table of a type', ${CLASS_NAME} ${OF_CLASS} and c.relkind = 'r' and c.reloftype <> 0`,
  `select 'table without columns', ${CLASS_NAME} ${OF_CLASS} and c.relkind = 'r' and not c.relispartition
     and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '')`,
  `select 'table with row security', ${CLASS_NAME} ${OF_CLASS} and (c.relrowsecurity
     or exists (select from pg_policy y where y.polrelid = c.oid)) and ${NOT_OF_EXTENSION}`,
  `select 'rule', format('%I of %s', r.rulename, ${CLASS_NAME}) from pg_rewrite r join pg_class c on c.oid = r.ev_class
     join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = any($1::text[]) and r.ev_type <> '1' and ${NOT_OF_EXTENSION}`,
  `select 'constraint that is not validated', format('%I of %s', k.conname, ${CLASS_NAME}) from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = any($1::text[]) and k.contype = 'n' and not k.convalidated`,
  `select case t.typtype when 'd' then 'domain' when 'r' then 'range type' when 'c' then 'composite type' else 'type' end,
     ${TYPE_NAME} ${OF_TYPE} and ${isNotOfExtension("pg_type", "t.oid")} and (t.typtype in ('d', 'r')
       or t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c')
       or t.typtype = 'b' and t.typcategory <> 'A')`,
  `select 'aggregate', format('%I.%I', n.nspname, f.proname) from pg_proc f join pg_namespace n on n.oid = f.pronamespace
   where n.nspname = any($1::text[]) and f.prokind = 'a' and ${isNotOfExtension("pg_proc", "f.oid")}`,
  ...namedObjects("operator", "pg_operator", "oprname"),
  ...namedObjects("operator class", "pg_opclass", "opcname"),
  ...namedObjects("collation", "pg_collation", "collname"),
  ...namedObjects("conversion", "pg_conversion", "conname"),
  `select 'text search configuration', format('%I.%I', n.nspname, x.cfgname) from pg_ts_config x
     join pg_namespace n on n.oid = x.cfgnamespace join pg_ts_parser p on p.oid = x.cfgparser
   where n.nspname = any($1::text[]) and ${isNotOfExtension("pg_ts_config", "x.oid")}
     and (p.prsname <> 'default' or p.prsnamespace <> 'pg_catalog'::regnamespace)`,
  ...namedObjects("text search dictionary", "pg_ts_dict", "dictname"),
  `select 'cast', format('from %s to %s', k.castsource::regtype, k.casttarget::regtype) from pg_cast k
   where k.oid >= 16384 and ${isNotOfExtension("pg_cast", "k.oid")}`,
  `select 'event trigger', quote_ident(e.evtname) from pg_event_trigger e
   where ${isNotOfExtension("pg_event_trigger", "e.oid")}`,
  `select 'extension with rows of its own', quote_ident(e.extname) from pg_extension e where e.extconfig is not null`,
  `select 'large object', m.oid::text from pg_largeobject_metadata m`,
]

/** Returns the objects that a copy would lose, each with its kind and name: `domain public.percent`. */
export async function findUncopyable(session: BulkSession, schemas: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const text of KINDS) {
    // Adds a condition with `$1`, because not every query uses it, and PostgreSQL cannot infer the type of an unused
    // parameter.
    const filtered = `select * from (${text}) found(kind, name) where $1::text[] is not null order by 1, 2`
    const { rows } = await session.query({ text: filtered, values: [schemas] })
    found.push(...rows.map(([kind, name]) => `${String(kind)} ${String(name)}`))
  }
  return found
}

function namedObjects(kind: string, catalog: string, nameColumn: string): readonly string[] {
  const namespaceColumn = nameColumn.replace("name", "namespace")
  return [
    `select '${kind}', format('%I.%s', n.nspname, x.${nameColumn}) from ${catalog} x
       join pg_namespace n on n.oid = x.${namespaceColumn}
     where n.nspname = any($1::text[]) and ${isNotOfExtension(catalog, "x.oid")}`,
  ]
}
