/** The code of the error that the statement raises. */
export const UNFINISHED_MOVE = "KT001"

/** Fails in a database that a move is still being made into: an app must not work with half of its records. */
export const REFUSE_UNFINISHED_MOVE = `do $$ begin
  if to_regclass('_kit_move') is not null then
    if exists (select from "_kit_move" where part = 'move' and detail->>'isFinished' = 'false') then
      raise exception 'unfinished move' using errcode = '${UNFINISHED_MOVE}';
    end if;
  end if;
end $$`
