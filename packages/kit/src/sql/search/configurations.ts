import { PLAIN_LANGUAGE } from "../../schema/search/languages.ts"
import { quote } from "../text/fragment.ts"
import { quoteText } from "../text/literal.ts"

const PREFIX = "_kit_"

/** The text search configuration by which words are compared as they are written, but without their accents. */
export const PLAIN_CONFIGURATION = PREFIX + PLAIN_LANGUAGE

/**
 * Returns the SQL that creates a text search configuration, unless it exists. It is the configuration of its language in
 * PostgreSQL, with `unaccent` before the dictionary of the language, so that words with and without accents are equal.
 * If the database refuses the extension, words keep their accents; a later call adds it.
 */
export function createConfiguration(configuration: string): string {
  const language = configuration.slice(PREFIX.length)
  const [name, stems] = [quote(configuration), language === PLAIN_LANGUAGE ? "simple" : `${language}_stem`]
  return `do ${quoteText(`declare folding text;
begin
  if not exists (select from pg_ts_config where cfgname = ${quoteText(configuration)} and cfgnamespace = current_schema()::regnamespace) then
    create text search configuration ${name} (copy = pg_catalog.${language});
  end if;
  begin
    create extension if not exists unaccent;
  exception when others then
    null;
  end;
  select format('%I.%I', n.nspname, d.dictname) into folding
  from pg_ts_dict d join pg_namespace n on n.oid = d.dictnamespace where d.dictname = 'unaccent' limit 1;
  if folding is not null then
    execute format('alter text search configuration ${name} alter mapping for hword, hword_part, word with %s, pg_catalog.${stems}', folding);
    execute format('alter text search configuration ${name} alter mapping for numhword, hword_numpart, numword with %s, pg_catalog.simple', folding);
  end if;
end`)}`
}

/** Selects the names of the app's text search configurations that do not fold accents. */
export const SELECT_UNFOLDED_CONFIGURATIONS = `select c.cfgname::text from pg_ts_config c
  where c.cfgnamespace = current_schema()::regnamespace and starts_with(c.cfgname::text, '${PREFIX}')
    and not exists (select from pg_ts_config_map m join pg_ts_dict d on d.oid = m.mapdict
      where m.mapcfg = c.oid and d.dictname = 'unaccent')
  order by 1`
