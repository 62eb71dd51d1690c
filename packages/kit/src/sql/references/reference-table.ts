import { createOwnIndex } from "../text/own-index.ts"
import { partValues, STORED_UUID } from "../text/part-path.ts"

export const REFERENCES_TABLE = `"_kit_references"`

/** The name of the function that stores the references of a row, and the constraint that it names in its error. */
export const FOLLOW_REFERENCES = "_kit_follow_references"

/**
 * The table of references from parts of fields that are stored as JSON, such as the picture of a block. Each row says that
 * a record of `table` has the id `target` at `path` in `field`.
 */
const CREATE_REFERENCES = `create table if not exists ${REFERENCES_TABLE} (
  "table" text collate "C" not null,
  record text collate "C" not null,
  field text collate "C" not null,
  path text collate "C" not null,
  target_table text collate "C" not null,
  target text collate "C" not null,
  primary key ("table", record, field, path, target)
)`

const CREATE_REFERENCES_INDEX = createOwnIndex("_kit_references.target", `${REFERENCES_TABLE} (target_table, target)`)

// Sets are compared by `except`: comparing each id of one with all ids of the other takes seconds for 20,000 ids.
const IS_OF_PART = `"table" = tg_table_name and record = new.id::text and field = tg_argv[part * 4] and path = tg_argv[part * 4 + 1]`

/**
 * The function of the triggers, with which a row and its references change together, whichever statement writes the row.
 * The arguments of a trigger are a list of parts, with four arguments each: column, path, target table, type of its ids.
 * The records of new references are locked, as a foreign key locks them, so that nobody deletes them meanwhile. An id of no
 * record may stay where it was stored already, because a part may have become a relation after it was written.
 */
const CREATE_FUNCTION = `create or replace function ${FOLLOW_REFERENCES}() returns trigger language plpgsql as $function$
  declare
    row_now jsonb;
    ids text[];
    removed text[];
    added text[];
    found text[];
    missing text[];
    refused text[];
  begin
    if tg_op = 'DELETE' then
      delete from ${REFERENCES_TABLE} where "table" = tg_table_name and record = old.id::text;
      return null;
    end if;
    row_now := to_jsonb(new);
    for part in 0 .. tg_nargs / 4 - 1 loop
      ids := array(select distinct text from (${textsOf("row_now")}) _stored
        where tg_argv[part * 4 + 3] <> 'uuid' or text ~ '${STORED_UUID}');
      removed := array(select target from ${REFERENCES_TABLE} where ${IS_OF_PART} except select unnest(ids));
      delete from ${REFERENCES_TABLE} where ${IS_OF_PART} and target = any(removed);
      with stored as (
        insert into ${REFERENCES_TABLE} ("table", record, field, path, target_table, target)
          select tg_table_name, new.id::text, tg_argv[part * 4], tg_argv[part * 4 + 1], tg_argv[part * 4 + 2], unnest(ids)
          on conflict do nothing returning target
      ) select array_agg(target order by target) into added from stored;
      continue when added is null;
      execute format(
        'select array_agg(id::text) from (select id from %I where id = any($1::%s[]) order by id for key share) locked',
        tg_argv[part * 4 + 2], tg_argv[part * 4 + 3]
      ) into found using added;
      missing := array(select unnest(added) except select unnest(found));
      refused := array(select unnest(missing) except ${textsOf("to_jsonb(old)")} order by 1);
      if refused <> '{}' then
        raise exception 'there is no record %', refused[1] using errcode = 'foreign_key_violation',
          constraint = '${FOLLOW_REFERENCES}', table = tg_table_name, column = tg_argv[part * 4];
      end if;
      delete from ${REFERENCES_TABLE} where ${IS_OF_PART} and target = any(missing);
    end loop;
    return null;
  end
  $function$`

// Returns the SQL that selects the texts at the path of a part in a row.
function textsOf(row: string): string {
  const parts = `${row} -> tg_argv[part * 4], tg_argv[part * 4 + 1]::jsonpath`
  return `select value #>> '{}' as text from ${partValues(parts)} value where jsonb_typeof(value) = 'string'`
}

/** Creates the table of references and its function when the app starts. */
export const PREPARE_REFERENCES: readonly string[] = [CREATE_REFERENCES, CREATE_REFERENCES_INDEX, CREATE_FUNCTION]
