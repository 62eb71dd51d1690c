import { describe, expect, test } from "vitest"
import { ALWAYS, EVERYTHING } from "../../src/sql/filter/predicate.ts"
import { textParseContext, typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseGroupBy } from "../../src/sql/parse/parse-group.ts"
import { parseOrder } from "../../src/sql/parse/parse-order.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { selectGroups } from "../../src/sql/read/group.ts"
import type { GroupCounting } from "../../src/sql/read/group-read.ts"
import { resourceNamed } from "./newsroom.ts"

const posts = resourceNamed("posts")
const reading = typedParseContext(EVERYTHING)

function groupsOf(groupBy: unknown, where?: unknown, counting: GroupCounting = { kind: "exact" }) {
  return selectGroups({
    grouping: parseGroupBy(posts, groupBy, reading),
    counting,
    selection: parseSelection(posts, { columns: { title: true } }, reading),
    predicate: where === undefined ? ALWAYS : parseWhere(posts, where, reading),
    order: parseOrder(posts, { title: "asc" }, reading),
    window: { limit: 5, offset: 10 },
    visibility: EVERYTHING,
  })
}

describe("the statement of groups", () => {
  test("counts groups, cuts the page and reads the first records of each group by an index", () => {
    const first = (alias: string, slug: string, isIn: string) =>
      `(select ${alias}.*, ${alias}."title" as _key0, ${alias}."id" as _key1 from "posts" ${alias} ` +
      `where ${alias}."slug" = ${slug} and ${isIn} order by ${alias}."title" asc, ${alias}."id" asc limit $4)`

    expect(groupsOf({ field: "kind", order: "desc", docs: 3 }, { slug: "a" })).toMatchObject({
      text:
        'with _groups as materialized (select t0."kind" as value, count(*)::int as count from "posts" t0 where t0."slug" = $1 group by 1), ' +
        "_page as materialized (select value, count, row_number() over (order by value desc nulls last)::int as place from _groups " +
        "order by place limit $2 offset $3) " +
        'select t3."id" as c0, t3."title" as c1, _page.value as c2, _page.count as c3, _page.place as c4, t3."id" as c5, ' +
        "_total.groups as c6, _total.docs as c7 " +
        "from (select count(*)::int as groups, coalesce(sum(_groups.count), 0)::int as docs from _groups) _total " +
        "left join _page on true left join lateral " +
        `(${first("t1", "$5", 't1."kind" = _page.value')} union all ` +
        `${first("t2", "$6", '_page.value is null and t2."kind" is null')}) t3 on true ` +
        "order by _page.place, t3._key0 asc, t3._key1 asc",
      values: ["a", 5, 10, 3, "a", "a"],
    })
  })

  test("ranks the records of the page's groups in one pass without an index on the grouping field", () => {
    expect(groupsOf({ field: "title", docs: 3 }).text).toContain(
      'left join (select t1."id" as id, t1."title" as value, row_number() over (partition by t1."title" order by t1."title" asc, t1."id" asc) as rank ' +
        'from "posts" t1 where true and (t1."title" in (select _page.value from _page where _page.value is not null) ' +
        'or (t1."title" is null and exists (select 1 from _page where _page.value is null)))' +
        ") _ranked on _ranked.rank <= $3 and (_ranked.value = _page.value or (_ranked.value is null and _page.value is null)) " +
        'left join lateral (select * from "posts" where "id" = _ranked.id offset 0) t2 on true order by _page.place, _ranked.rank',
    )
  })

  test("finds groups that are not counted one after the other", () => {
    const { text, values } = groupsOf({ field: "kind", docs: 0 }, undefined, { kind: "none" })

    expect(text).toMatch(
      'with recursive _found(value, place) as ((select t0."kind" as value, 1 as place from "posts" t0 ' +
        'where true and t0."kind" is not null order by t0."kind" asc limit 1) union all select _next.* from _found cross join lateral ' +
        '(select t1."kind" as value, _found.place + 1 as place from "posts" t1 where true and t1."kind" > _found.value ' +
        'order by t1."kind" asc limit 1) _next where _found.place < $1::int), ',
    )
    expect(values).toEqual([16, 10, 15])
  })

  test.each<[string, unknown, unknown, GroupCounting]>([
    ["a field without an index", "title", undefined, { kind: "none" }],
    ["a filter on related records", "kind", { author: { is: { name: "Ann" } } }, { kind: "none" }],
    ["a pattern", "kind", { title: { contains: "a" } }, { kind: "atMost", max: 5 }],
    ["an exact count", "kind", undefined, { kind: "exact" }],
  ])("reads every record for %s", (_, field, where, counting) => {
    expect(groupsOf({ field, docs: 0 }, where, counting).text).toMatch(
      /^with _groups as materialized \(select .* group by 1\), /,
    )
  })

  test("reads no record where none is asked for", () => {
    const { text } = groupsOf({ field: "kind", docs: 0 })

    expect(text).not.toContain("lateral")
    expect(text).not.toContain('"title"')
  })
})

describe("groupBy", () => {
  test("reads numbers from a query string", () => {
    const text = parseGroupBy(posts, { field: "author", docs: "7" }, textParseContext(EVERYTHING))

    expect(text).toMatchObject({ field: { name: "author" }, direction: "asc", docs: 7 })
  })

  test.each<[unknown, string]>([
    ["meta", 'groupBy: The field "meta" is of the type json, which cannot be grouped by.'],
    ["kinds", 'groupBy: There is no field "kinds". Did you mean "kind"?'],
    [{ field: "kind", doc: 1 }, 'groupBy.doc: There is no option "doc" here. Did you mean "docs"?'],
    [{ field: 5 }, "groupBy.field: Expected the name of a field."],
    [{ field: "kind", docs: 1.5 }, "groupBy.docs: Expected a whole number from 0 to 1000."],
    [null, "groupBy: Expected the name of a field, or { field, order, docs }."],
  ])("%j is refused", (input, message) => {
    expect(() => parseGroupBy(posts, input, reading)).toThrow(message)
  })
})
