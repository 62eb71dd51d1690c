import { describe, expect, test } from "vitest"
import { ALWAYS, EVERYTHING } from "../../src/sql/filter/predicate.ts"
import { textParseContext, typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseGroupBy } from "../../src/sql/parse/parse-group.ts"
import { parseOrder } from "../../src/sql/parse/parse-order.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { selectGroups } from "../../src/sql/read/group.ts"
import { resourceNamed } from "./newsroom.ts"

const posts = resourceNamed("posts")
const reading = typedParseContext(EVERYTHING)

function groupsOf(groupBy: unknown, where?: unknown) {
  return selectGroups({
    grouping: parseGroupBy(posts, groupBy, reading),
    selection: parseSelection(posts, { columns: { title: true } }, reading),
    predicate: where === undefined ? ALWAYS : parseWhere(posts, where, reading),
    order: parseOrder(posts, { title: "asc" }, reading),
    window: { limit: 5, offset: 10 },
    visibility: EVERYTHING,
  })
}

describe("the statement of groups", () => {
  test("counts groups, cuts the page and ranks the records of its groups", () => {
    expect(groupsOf({ field: "kind", order: "desc", docs: 3 }, { slug: "a" })).toMatchObject({
      text:
        'with _groups as materialized (select t0."kind" as value, count(*)::int as count from "posts" t0 where t0."slug" = $1 group by 1), ' +
        "_page as materialized (select value, count, row_number() over (order by value desc nulls last)::int as place from _groups " +
        "order by place limit $2 offset $3) " +
        'select t2."id" as c0, t2."title" as c1, _page.value as c2, _page.count as c3, _page.place as c4, _ranked.rank as c5, ' +
        "_total.groups as c6, _total.docs as c7 " +
        "from (select count(*)::int as groups, coalesce(sum(_groups.count), 0)::int as docs from _groups) _total " +
        "left join _page on true left join (" +
        'select t1."id" as id, t1."kind" as value, row_number() over (partition by t1."kind" order by t1."title" asc, t1."id" asc) as rank ' +
        'from "posts" t1 where t1."slug" = $4 and (t1."kind" in (select _page.value from _page where _page.value is not null) ' +
        'or (t1."kind" is null and exists (select 1 from _page where _page.value is null)))' +
        ") _ranked on _ranked.rank <= $5 and (_ranked.value = _page.value or (_ranked.value is null and _page.value is null)) " +
        'left join lateral (select * from "posts" where "id" = _ranked.id offset 0) t2 on true order by _page.place, _ranked.rank',
      values: ["a", 5, 10, "a", 3],
    })
  })

  test("reads no record where none is asked for", () => {
    const { text } = groupsOf({ field: "kind", docs: 0 })

    expect(text).not.toContain("ranked")
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
