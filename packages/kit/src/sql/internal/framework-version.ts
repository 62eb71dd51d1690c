/** The version of the framework's own tables, increased with every change to them. */
const FRAMEWORK_VERSION = 1

const FRAMEWORK_TABLE = "_kit_framework"

/** Returns an SQL block that raises an error if an older or a newer version of kit created the framework's tables. */
export function refuseOtherVersion(codes: { readonly older: string; readonly newer: string }): string {
  const found = "quote_ident(current_schema()) ||"
  return `do $$ begin
  if to_regclass(${found} '."${FRAMEWORK_TABLE}"') is null then
    if to_regclass(${found} '."_kit_changes"') is not null then
      raise exception 'tables without a version' using errcode = '${codes.older}';
    end if;
  elsif (select version from "${FRAMEWORK_TABLE}") < ${FRAMEWORK_VERSION} then
    raise exception 'older tables' using errcode = '${codes.older}';
  elsif (select version from "${FRAMEWORK_TABLE}") > ${FRAMEWORK_VERSION} then
    raise exception 'newer tables' using errcode = '${codes.newer}';
  end if;
end $$`
}

/** Stores the version of the framework's tables in a table with one row. */
export const PREPARE_FRAMEWORK_VERSION: readonly string[] = [
  `create table if not exists "${FRAMEWORK_TABLE}" (
  is_only boolean primary key default true check (is_only),
  version integer not null
)`,
  `insert into "${FRAMEWORK_TABLE}" (version) values (${FRAMEWORK_VERSION}) on conflict do nothing`,
]
