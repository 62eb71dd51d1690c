import { runKit } from "../processes/kit-command.ts"
import { appFolder } from "../processes/kit-process.ts"
import type { TestDatabase } from "../test-database.ts"

/** Runs `kit db …` for an app with this database; the app's files do not matter. */
export async function kitDb(args: readonly string[], url: string) {
  await using folder = await appFolder({})
  const { code, output } = await runKit(["db", ...args], { cwd: folder.path, env: { DATABASE_URL: url } })
  return { code, output, lines: output.split("\n").filter((line) => line !== "") }
}

/** Objects that an author may have created besides the tables of kit, with the values that are hardest to copy. */
export const AUTHORS_OBJECTS = `
create extension citext;
create schema "Sports desk";
create type "Sports desk"."Mood" as enum ('so "so"', 'fine', 'it''s bad');
create sequence public.tickets start with 100 increment by 7;
create function public.shout(words text) returns text language sql immutable as $$ select upper(words) || '!' $$;
create function public.stamp() returns trigger language plpgsql as $$ begin new.stamped := 'by trigger'; return new; end $$;
create table "Sports desk"."Odd; names" (
  "the ""key""" integer generated always as identity (start with 5 increment by 3) primary key,
  mood "Sports desk"."Mood",
  ticket bigint not null default nextval('public.tickets'),
  serial_too serial,
  nick citext unique,
  loud text generated always as (public.shout('a' || ticket::text)) stored,
  amount numeric(10, 3) check (amount > -100),
  parent integer references "Sports desk"."Odd; names" deferrable initially deferred,
  stamped text
);
create index "an index; too" on "Sports desk"."Odd; names" (lower(nick::text)) where amount is not null;
create table no_key (note text collate "C", at_least int4range, exclude using gist (at_least with &&));
create table values_of_all_kinds (
  d double precision, r real, n numeric, b bytea, t text, c char(5), v varchar(9), ts timestamp, tz timestamptz, day date,
  clock time, span interval, j json, jb jsonb, words text[], cube integer[][], u uuid, net inet, bits varbit, xml xml,
  cash money, spot point, vec tsvector, flag boolean, big bigint, one "char", reg regclass, pair int8range
);
insert into values_of_all_kinds (d, r, n, t, ts, day) values
  ('NaN', 'Infinity', 'NaN', '', 'infinity', '-infinity'), ('-Infinity', 1.1, '-Infinity', null, '0044-03-15 12:00 BC', 'infinity'),
  (0.1::float8 + 0.2::float8, 3.4028235e38, 12345678901234567890.123456789, E'\\\\.\\n\\\\N\\t\\r\\b"''', '294276-12-31', '0001-01-01 BC'),
  (-0.0, 1e-45, 1e-300, repeat('žluťoučký kůň 🐎 ', 60000), '1970-01-01 00:00:00.000001', '2026-02-28');
insert into values_of_all_kinds values (1, 1, 1, '\\x00ff0a5c2e0d09', E'\\u0001\\uFEFF\\u202E', 'ab', ' x ', '2026-01-01',
  '2026-03-29 02:30:00+02', '2026-01-01', '23:59:59.999999', '-1 year 2 mons -3 days 04:05:06.789',
  '{"b": 1, "a":  [1,2 ], "b": 2}', '{"k\\u00fd": "\\ud83d\\ude00", "n": 1e400, "z": null}', array['', null, 'NULL', '{}', '"', E'\\n'],
  '{{1,2},{3,null}}', gen_random_uuid(), '10.0.0.1/8', b'101', '<a>&amp;</a>', 12.5, '(1.5,-2)', 'fat:1A cat:2', true,
  -9223372036854775808, 'x', 'values_of_all_kinds', '[1,5)');
insert into values_of_all_kinds default values;
insert into values_of_all_kinds default values;
insert into "Sports desk"."Odd; names" (mood, nick, amount, parent) values
  ('it''s bad', 'Ann', 1.5, null), ('fine', 'BOB', null, 5), (null, null, -99, 8);
insert into no_key values ('', '[1,3)'), (null, null), (null, null), (E'a\\\\b', 'empty');
create trigger stamp before insert on "Sports desk"."Odd; names" for each row execute function public.stamp();
create trigger asleep before update on no_key for each row execute function public.stamp();
alter table no_key disable trigger asleep;
create view public.a_later as select nick from "Sports desk"."Odd; names" where mood = 'fine';
create view public.a_first as select * from public.a_later;
create materialized view public.counted as select count(*) as amount from public.a_first;
create unique index counted_once on public.counted (amount);
alter view public.a_later rename to z_later;
`

/** Reads the whole content of a database, in a different way from the copy. */
export async function contentOf(database: TestDatabase): Promise<Readonly<Record<string, unknown>>> {
  const tables = await database.query(
    `select oid::regclass::text as name from pg_class where relkind in ('r', 'v', 'm') and relnamespace >= 2200
     and relnamespace not in (select oid from pg_namespace where nspname ~ '^pg_|^information_schema$')
     and relname not in ('_kit_copy', '_kit_changes') order by 1`,
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of tables) {
    const found = await database.query(`select t::text as row from ${name} t order by t::text collate "C"`)
    rows[String(name)] = found.map(({ row }) => row)
  }
  return {
    rows,
    changes: await database.query(`select to_jsonb(c) - 'xid' as change from "_kit_changes" c order by id`),
    columns: await database.query(
      `select table_schema, table_name, column_name, data_type, udt_name, column_default, is_nullable, collation_name,
         identity_generation, identity_start, identity_increment, generation_expression
       from information_schema.columns where table_schema !~ '^pg_|^information_schema$' and table_name <> '_kit_copy' order by 1, 2, 3`,
    ),
    indexes: await database.query(
      "select indexdef from pg_indexes where schemaname !~ '^pg_' and tablename <> '_kit_copy' order by 1",
    ),
    constraints: await database.query(
      `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition from pg_constraint
       where connamespace::regnamespace::text !~ '^pg_|^information_schema$' and conrelid::regclass::text <> '_kit_copy' order by 1, 2`,
    ),
    triggers: await database.query(
      "select pg_get_triggerdef(oid), tgenabled from pg_trigger where not tgisinternal order by 1",
    ),
    sequences: await database.query(
      "select schemaname, sequencename, last_value, increment_by from pg_sequences order by 1, 2",
    ),
    storage: await database.query(
      "select relname, relpersistence, reloptions from pg_class where relkind = 'r' and relname like '\\_kit\\_%' and relname <> '_kit_copy' order by 1",
    ),
  }
}
