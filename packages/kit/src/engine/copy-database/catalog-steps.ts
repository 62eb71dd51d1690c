import type { BulkSession } from "../../ports/bulk-session.ts"
import type { RowValues } from "../../ports/database.ts"
import { SEQUENCE_OPTIONS } from "./copied-tables.ts"
import { isNotOfExtension, JOURNAL_TABLE } from "./copy-scope.ts"
import type { CopyStep } from "./copy-step.ts"

/**
 * Queries for the objects that must exist before the tables are created. Each returned row has a title, a `create`
 * statement and, where needed, a statement that undoes it. `$1` is the list of PostgreSQL schemas.
 */
const BEFORE_TABLES: readonly string[] = [
  // Creates only missing schemas, because a role without the right to create schemas may still write to an existing
  // schema.
  `select format('schema %I', n.nspname),
     format('do %L', format('begin if to_regnamespace(%L) is null then create schema %I; end if; end',
       quote_ident(n.nspname), n.nspname))
   from pg_namespace n where n.nspname = any($1::text[])`,
  `select format('extension %I', e.extname),
     format('create extension if not exists %I with schema %I', e.extname, n.nspname)
   from pg_extension e join pg_namespace n on n.oid = e.extnamespace
   where e.extname <> 'plpgsql' and $1::text[] is not null`,
  `select format('type %I.%I', n.nspname, t.typname), format('create type %I.%I as enum (%s)', n.nspname, t.typname,
     (select string_agg(quote_literal(l.enumlabel), ', ' order by l.enumsortorder) from pg_enum l where l.enumtypid = t.oid))
   from pg_type t join pg_namespace n on n.oid = t.typnamespace
   where t.typtype = 'e' and n.nspname = any($1::text[]) and ${isNotOfExtension("pg_type", "t.oid")}`,
  `select format('sequence %I.%I', n.nspname, c.relname), format('create %ssequence %I.%I as %s %s',
     case c.relpersistence when 'u' then 'unlogged ' else '' end, n.nspname, c.relname, s.seqtypid::regtype, ${SEQUENCE_OPTIONS})
   from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = any($1::text[]) and ${isNotOfExtension("pg_class", "c.oid")}
     and not exists (select from pg_depend p where p.classid = 'pg_class'::regclass and p.objid = c.oid and p.deptype = 'i')`,
  `select format('text search configuration %I.%I', n.nspname, x.cfgname),
     concat_ws('; ', format('create text search configuration %I.%I (parser = pg_catalog.default)', n.nspname, x.cfgname),
       (select string_agg(format('alter text search configuration %I.%I add mapping for %I with %s', n.nspname, x.cfgname,
           k.alias, m.dictionaries), '; ' order by k.tokid)
        from ts_token_type('default') k join lateral (
          select string_agg(format('%I.%I', dn.nspname, d.dictname), ', ' order by c.mapseqno) as dictionaries
          from pg_ts_config_map c join pg_ts_dict d on d.oid = c.mapdict join pg_namespace dn on dn.oid = d.dictnamespace
          where c.mapcfg = x.oid and c.maptokentype = k.tokid) m on m.dictionaries is not null))
   from pg_ts_config x join pg_namespace n on n.oid = x.cfgnamespace
   where n.nspname = any($1::text[]) and ${isNotOfExtension("pg_ts_config", "x.oid")}`,
  `select format('function %I.%I(%s)', n.nspname, f.proname, pg_get_function_identity_arguments(f.oid)), pg_get_functiondef(f.oid)
   from pg_proc f join pg_namespace n on n.oid = f.pronamespace
   where f.prokind in ('f', 'p', 'w') and n.nspname = any($1::text[]) and ${isNotOfExtension("pg_proc", "f.oid")}`,
]

const ADD_CONSTRAINT = `select format('%s %I of %I.%I', case k.contype when 'f' then 'foreign key' else 'constraint' end,
    k.conname, n.nspname, c.relname),
  format('alter table %I.%I add constraint %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)),
  case k.contype when 'f' then format('alter table %I.%I drop constraint if exists %I', n.nspname, c.relname, k.conname) end
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1::text[]) and c.relname <> '${JOURNAL_TABLE}' and ${isNotOfExtension("pg_class", "c.oid")}`

const AFTER_ROWS: readonly string[] = [
  `${ADD_CONSTRAINT} and k.contype in ('p', 'u', 'x', 'c')`,
  `select format('index %I.%I', n.nspname, i.relname), pg_get_indexdef(i.oid)
   from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
     join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and x.indisvalid and n.nspname = any($1::text[]) and c.relname <> '${JOURNAL_TABLE}'
     and ${isNotOfExtension("pg_class", "c.oid")}
     and not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))`,
  `select format('owner of %I.%I', sn.nspname, sc.relname),
     format('alter sequence %I.%I owned by %I.%I.%I', sn.nspname, sc.relname, n.nspname, c.relname, a.attname)
   from pg_depend p join pg_class sc on sc.oid = p.objid and sc.relkind = 'S' join pg_namespace sn on sn.oid = sc.relnamespace
     join pg_class c on c.oid = p.refobjid join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = p.refobjsubid
   where p.classid = 'pg_class'::regclass and p.refclassid = 'pg_class'::regclass and p.deptype = 'a'
     and n.nspname = any($1::text[]) and ${isNotOfExtension("pg_class", "sc.oid")}`,
  `select format('statistics %I.%I', n.nspname, x.stxname), pg_get_statisticsobjdef(x.oid)
   from pg_statistic_ext x join pg_namespace n on n.oid = x.stxnamespace where n.nspname = any($1::text[])`,
  `${ADD_CONSTRAINT} and k.contype = 'f'`,
  `select format('%s %I.%I', case c.relkind when 'm' then 'materialized view' else 'view' end, n.nspname, c.relname),
     format('create %s %I.%I%s as %s', case c.relkind when 'm' then 'materialized view' else 'view' end, n.nspname, c.relname,
       (select format(' with (%s)', string_agg(format('%I = %L', option_name, option_value), ', '))
        from pg_options_to_table(c.reloptions) having count(*) > 0),
       rtrim(pg_get_viewdef(c.oid), ';')),
     format('drop %s if exists %I.%I cascade', case c.relkind when 'm' then 'materialized view' else 'view' end, n.nspname, c.relname)
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('v', 'm') and n.nspname = any($1::text[]) and ${isNotOfExtension("pg_class", "c.oid")}`,
  `select format('index %I.%I', n.nspname, i.relname), pg_get_indexdef(i.oid),
     format('drop index if exists %I.%I', n.nspname, i.relname)
   from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
     join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'm' and x.indisvalid and n.nspname = any($1::text[])`,
  `select format('trigger %I of %I.%I', g.tgname, n.nspname, c.relname), concat(pg_get_triggerdef(g.oid),
     case g.tgenabled when 'D' then format('; alter table %I.%I disable trigger %I', n.nspname, c.relname, g.tgname)
       when 'R' then format('; alter table %I.%I enable replica trigger %I', n.nspname, c.relname, g.tgname)
       when 'A' then format('; alter table %I.%I enable always trigger %I', n.nspname, c.relname, g.tgname) end),
     format('drop trigger if exists %I on %I.%I', g.tgname, n.nspname, c.relname)
   from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace
   where not g.tgisinternal and n.nspname = any($1::text[]) and ${isNotOfExtension("pg_class", "c.oid")}`,
]

/**
 * Reads the steps that create the objects that must exist in the target before its tables, such as types and functions.
 */
export function readStepsBefore(session: BulkSession, schemas: readonly string[]): Promise<readonly CopyStep[]> {
  return readSteps(session, BEFORE_TABLES, schemas)
}

/** Reads the steps that create objects in the target after all rows are copied, such as indexes and foreign keys. */
export function readStepsAfter(session: BulkSession, schemas: readonly string[]): Promise<readonly CopyStep[]> {
  return readSteps(session, AFTER_ROWS, schemas)
}

async function readSteps(session: BulkSession, queries: readonly string[], schemas: readonly string[]) {
  const steps: CopyStep[] = []
  for (const text of queries) {
    const { rows } = await session.query({ text: `${text} order by 1`, values: [schemas] })
    steps.push(...rows.map(stepOf))
  }
  return steps
}

function stepOf([title, sql, undo]: RowValues): CopyStep {
  return { title: String(title), sql: String(sql), ...(typeof undo === "string" && { undo }) }
}
