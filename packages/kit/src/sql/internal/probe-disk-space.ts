import type { Statement } from "../../ports/database.ts"

/**
 * Fails if the disk of the server is full. It writes four megabytes to a temporary table that is dropped at the end of
 * the statement; an insert into an existing table might fit into a page that is already allocated.
 */
export const PROBE_DISK_SPACE: Statement = {
  text: `do $$ begin
    create temp table _kit_probe on commit drop as select repeat(md5(n::text), 60) as filler from generate_series(1, 2048) n;
  end $$`,
  values: [],
}
