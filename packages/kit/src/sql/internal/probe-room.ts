import type { Statement } from "../../ports/database.ts"

/**
 * Fails where the disk of the server is full: a table that is gone at the end of the statement needs four megabytes of its own,
 * while a row of another table may find room in a page that is there.
 */
export const PROBE_ROOM: Statement = {
  text: `do $$ begin
    create temp table _kit_probe on commit drop as select repeat(md5(n::text), 60) as filler from generate_series(1, 2048) n;
  end $$`,
  values: [],
}
