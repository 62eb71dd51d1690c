import { readFileSync } from "node:fs"
const url = /http:\S+/.exec(readFileSync("/tmp/filt/play.log", "utf8"))[0]
const every3 = { reviews: { every: { book: { reviews: { every: { stars: { gte: 0 } } } } } } }
const A = (x) => ({ book: { reviews: x } })
const ids = Array.from({ length: 10000 }, (_, i) => "01890000-0000-7000-8000-" + (i + 1).toString(16).padStart(12, "0"))
const texts = Array.from({ length: 10000 }, (_, i) => "lorem " + i)
const cases = {
  every2: ["books", { where: every3 }],
  everyNone: ["books", { where: { reviews: { every: A({ none: { stars: 9 } }) } } }],
  someEvery: ["books", { where: { reviews: { some: A({ every: { text: { contains: "zz" } } }) } } }],
  orEvery: ["books", { where: { OR: [{ title: "x" }, { reviews: { every: A({ every: { text: { contains: "lorem" } } }) } }, { reviews: { none: A({ some: { text: { contains: "zz" } } }) } }, { reviews: { some: A({ none: { text: { contains: "lorem" } } }) } }] } }],
  orReviews: ["reviews", { where: { OR: [{ stars: 9 }, { book: { reviews: { every: { reader: { reviews: { every: { stars: { gte: 0 } } } } } } } }] } }],
  andReviews: ["reviews", { where: { book: { reviews: { every: { reader: { reviews: { every: { stars: { gte: 0 } } } } } } } } }],
  readerHub: ["readers", { where: { reviews: { every: { book: { reviews: { every: { text: { contains: "o" } } } } } } } }],
  or10: ["reviews", { where: { OR: Array.from({ length: 5 }, (_, i) => ({ book: { reviews: { every: { text: { contains: "zq" + i } } } } })) } }],
  or10n: ["books", { where: { OR: Array.from({ length: 10 }, (_, i) => ({ reviews: { every: { text: { contains: "zq" + i } } } })) } }],
  and10: ["books", { where: { AND: Array.from({ length: 10 }, (_, i) => ({ reviews: { some: { text: { contains: "" + i } } } })) } }],
  inIds: ["books", { where: { reviews: { every: { id: { notIn: ids } } } } }],
  inTexts: ["reviews", { where: { text: { notIn: texts } } }],
  inTextsOr: ["reviews", { where: { OR: [{ text: { in: texts } }, { text: { in: texts } }, { stars: 9 }] } }],
  manyContains: ["reviews", { where: { OR: Array.from({ length: 490 }, (_, i) => ({ text: { contains: "zq" + i } })) } }],
  manyLike: ["reviews", { where: { OR: Array.from({ length: 100 }, (_, i) => ({ text: { like: "%a%b%c%d%e%f%g%h%" + i } })) } }],
  withWhere: ["books", { limit: 1000, with: { reviews: { limit: 1, _count: true, where: { book: { reviews: { every: { reader: { reviews: { every: { stars: { gte: 0 } } } } } } } } } } }],
  withWhere2: ["books", { limit: 1000, with: { reviews: { limit: 1, _count: true, where: { book: { reviews: { some: { text: { contains: "zz" } } } } } } } }],
  withOrderBig: ["reviews", { orderBy: Array.from({ length: 10 }, () => ({ book: { title: "asc" } })), limit: 1 }],
  withBelongs: ["reviews", { orderBy: { text: "asc" }, limit: 1, with: { book: { with: { author: { with: { mentor: { with: { mentor: { with: { mentor: true } } } } } } } }, reader: true } }],
  tags2: ["books", { where: { tags: { every: { books: { every: { reviews: { } } } } } } }],
  tagsBooks: ["books", { where: { tags: { some: { books: { every: { title: { contains: "zz" } } } } } } }],
  tagsBooksN: ["books", { where: { tags: { every: { books: { some: { title: { contains: "zz" } } } } } } }],
  tagsOr: ["tags", { where: { OR: [{ name: "x" }, { books: { every: { reviews: { every: { text: { contains: "o" } } } } } }] } }],
  group: ["reviews", { groupBy: "stars", where: { book: { reviews: { every: { reader: { reviews: { every: { stars: { gte: 0 } } } } } } } } }],
}
const only = process.argv.slice(2)
const ref = async () => { const t = performance.now(); await (await fetch(url + "/reviews/count", {})).text(); return performance.now() - t }
for (const [name, [coll, body]] of Object.entries(cases)) {
  if (only.length && !only.includes(name)) continue
  const times = []
  let out
  for (let i = 0; i < (name.startsWith("in") ? 10 : 3); i++) {
    const t = performance.now()
    const r = await fetch(`${url}/${coll}/query`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    const text = await r.text()
    times.push(Math.round(performance.now() - t))
    out = r.status + " " + (r.status === 200 ? JSON.parse(text).totalDocs : text.slice(0, 160))
    if (times[0] > 8000) break
  }
  console.log(name.padEnd(14), times.join(" "), "|", out, "| ref", Math.round(await ref()))
}
