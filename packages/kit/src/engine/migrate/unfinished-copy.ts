/** The error code that the statement raises. */
export const UNFINISHED_COPY = "KT001"

/** Fails in a database that is the target of an unfinished copy: an app must not run on incomplete data. */
export const REFUSE_UNFINISHED_COPY = `do $$ begin
  if to_regclass('_kit_move') is not null then
    if exists (select from "_kit_move" where part = 'move' and detail->>'isFinished' = 'false') then
      raise exception 'unfinished move' using errcode = '${UNFINISHED_COPY}';
    end if;
  end if;
end $$`
