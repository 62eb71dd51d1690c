import type { Statement } from "../../ports/database.ts"

/**
 * Fails if the database server's disk is full. The statement writes four megabytes to a temporary table that is dropped
 * at its end. An insert into an existing table might fit into a page that is already allocated.
 */
export const PROBE_DISK_SPACE: Statement = {
  text: `do $$ begin
    create temp table _kit_probe on commit drop as select repeat(md5(n::text), 60) as filler from generate_series(1, 2048) n;
  end $$`,
  values: [],
}
