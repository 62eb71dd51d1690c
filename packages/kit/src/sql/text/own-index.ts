import { quote } from "./fragment.ts"

/**
 * Returns the SQL that creates an index of one of the framework's own tables unless it exists. If it exists, the table is
 * not locked, so that an app can start while other instances write: `create index if not exists` locks the table first.
 */
export function createOwnIndex(name: string, definition: string): string {
  return `do $$ begin
    if to_regclass(quote_ident(current_schema()) || '.${quote(name)}') is null then
      create index if not exists ${quote(name)} on ${definition};
    end if;
  end $$`
}
