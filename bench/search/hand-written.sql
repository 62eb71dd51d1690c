-- The statements of the server written by hand, on the tables and indexes of kit. Each begins with its name.

-- name: session
-- $1 hash of the token in the cookie
select "userId" as owner from _kit_sessions where token = $1 and "expiresAt" > now()

-- name: words
-- $1 finished words, $2 last word, $3 beginning of the last word, $4 owner, $5 limit
with query as materialized (
  select to_tsquery('_kit_english', $1) && (to_tsquery('_kit_english', $2) || to_tsquery('_kit_simple', $3)) as words,
    to_tsquery('_kit_english', $1) || to_tsquery('_kit_english', $2) || to_tsquery('_kit_simple', $3) as marked
),
hits as materialized (
  select id, section, kind, year, "createdAt", ts_rank('{0.1, 0.1, 0.5, 1}', _search, (select words || words from query), 1)
      + case when $1 = '' then 0 else ts_rank_cd('{0.1, 0.1, 0.5, 1}', _search, (select words from query), 33) end as score
  from documents
  where owner = $4 and _search @@ (select words from query)
),
page as materialized (
  select id, score, "createdAt" from hits order by score desc, "createdAt" desc, id desc limit $5
)
select
  (select count(*)::int from hits) as total,
  (select json_agg(counts) from (select section as value, count(*) from hits group by 1 order by 2 desc, 1 limit 10) counts) as section,
  (select json_agg(counts) from (select kind as value, count(*) from hits group by 1 order by 2 desc, 1 limit 10) counts) as kind,
  (select json_agg(counts) from (select year as value, count(*) from hits group by 1 order by 2 desc, 1 limit 10) counts) as year,
  (
    select json_agg(json_build_object(
      'id', d.id, 'title', d.title, 'body', d.body, 'owner', d.owner, 'section', d.section, 'kind', d.kind,
      'year', d.year, 'createdAt', d."createdAt", 'updatedAt', d."updatedAt", 'score', page.score,
      'markedTitle', ts_headline('_kit_english', d.title, query.marked,
        'HighlightAll=true, StartSel="' || chr(2) || '", StopSel="' || chr(3) || '"'),
      'markedBody', ts_headline('_kit_english', d.body, query.marked,
        'MaxFragments=3, MinWords=8, MaxWords=24, FragmentDelimiter="' || chr(4) || '", StartSel="' || chr(2) || '", StopSel="' || chr(3) || '"')
    ) order by page.score desc, page."createdAt" desc, page.id desc)
    from page join documents d using (id), query
  ) as docs

-- name: typed
-- $1 finished words, $2 last word, $3 beginning of the last word, $4 owner, $5 limit
with query as materialized (
  select to_tsquery('_kit_english', $1) && (to_tsquery('_kit_english', $2) || to_tsquery('_kit_simple', $3)) as words,
    to_tsquery('_kit_english', $1) || to_tsquery('_kit_english', $2) || to_tsquery('_kit_simple', $3) as marked
),
hits as materialized (
  select id, "createdAt", ts_rank('{0.1, 0.1, 0.5, 1}', _search, (select words || words from query), 1)
      + case when $1 = '' then 0 else ts_rank_cd('{0.1, 0.1, 0.5, 1}', _search, (select words from query), 33) end as score
  from documents
  where owner = $4 and _search @@ (select words from query)
),
page as materialized (
  select id, score, "createdAt" from hits order by score desc, "createdAt" desc, id desc limit $5
)
select
  (select count(*)::int from hits) as total,
  (
    select json_agg(json_build_object(
      'id', d.id, 'title', d.title, 'body', d.body, 'owner', d.owner, 'section', d.section, 'kind', d.kind,
      'year', d.year, 'createdAt', d."createdAt", 'updatedAt', d."updatedAt", 'score', page.score,
      'markedTitle', ts_headline('_kit_english', d.title, query.marked,
        'HighlightAll=true, StartSel="' || chr(2) || '", StopSel="' || chr(3) || '"'),
      'markedBody', ts_headline('_kit_english', d.body, query.marked,
        'MaxFragments=3, MinWords=8, MaxWords=24, FragmentDelimiter="' || chr(4) || '", StartSel="' || chr(2) || '", StopSel="' || chr(3) || '"')
    ) order by page.score desc, page."createdAt" desc, page.id desc)
    from page join documents d using (id), query
  ) as docs
