/**
 * @typedef {{ name: string, ask: () => Promise<unknown>, byHand?: () => Promise<unknown>, bar?: number }} Measurement
 *   `byHand` is SQL that does the same work. The bar is the allowed ratio: to SQL by hand if there is any, otherwise to
 *   the first page without a total.
 * @typedef {{ ask: (path: string, body?: object) => Promise<any>, sql: (text: string, values?: unknown[]) => Promise<any[]>, rows: number }} World
 */

const LIMIT = 20
const PAGE = `/orders?limit=${LIMIT}`
const COLUMNS = `id, code, note, status, amount, author, team, "createdAt", "updatedAt"`
const NEWEST = `order by "createdAt" desc, id desc`
const BARS = { cursor: 2, estimate: 1.3, max: 3, list: 1.1, groups: 5, byHand: 1.2 }

/** The page with which everything is compared. @param {World} world */
export function firstPage({ ask }) {
  return () => ask(`${PAGE}&total=false`)
}

/** @param {World} world @returns {Promise<Measurement[]>} */
export async function measurements(world) {
  return [
    ...pages(world),
    ...offsets(world),
    ...(await cursors(world)),
    ...totals(world),
    ...groups(world),
    aggregate(world),
    ...texts(world),
  ]
}

/** @param {World} world @returns {Measurement[]} */
function pages({ ask, sql }) {
  const byHand = async () => {
    await sql(`select ${COLUMNS} from orders ${NEWEST} limit ${LIMIT}`)
    await sql("select count(*) from orders")
  }
  return [{ name: "list with its total", ask: () => ask(PAGE), byHand, bar: BARS.list }]
}

/** @param {World} world @returns {Measurement[]} */
function offsets({ ask, rows }) {
  return [0.25, 0.95].map((share) => {
    const offset = Math.floor(rows * share)
    return { name: `offset ${offset}`, ask: () => ask(`${PAGE}&total=false&offset=${offset}`) }
  })
}

/** Cursors at the start, the middle and the end. @param {World} world @returns {Promise<Measurement[]>} */
async function cursors({ ask, sql, rows }) {
  const after = (/** @type {string | null} */ cursor, where = {}) =>
    ask("/orders/query", { after: cursor, where, limit: LIMIT, total: false })
  const at = async (/** @type {number} */ share) => {
    const offset = Math.min(rows - 3 * LIMIT, Math.floor(rows * share))
    const [row] = await sql(`select "createdAt" from orders ${NEWEST} offset ${offset} limit 1`)
    // A cursor is only a position: the page after it need not have this filter.
    const { endCursor } = await after(null, { createdAt: { lte: row.createdAt } })
    return endCursor
  }
  const list = []
  for (const [name, share] of Object.entries({ start: 0, middle: 0.5, end: 1 })) {
    const cursor = await at(share).catch(() => null)
    list.push({ name: `cursor at the ${name}`, ask: () => after(cursor), bar: BARS.cursor })
  }
  return list
}

/** @param {World} world @returns {Measurement[]} */
function totals({ ask }) {
  return [
    { name: "total=estimate", ask: () => ask(`${PAGE}&total=estimate`), bar: BARS.estimate },
    { name: "total[max]=10000", ask: () => ask(`${PAGE}&total[max]=10000`), bar: BARS.max },
  ]
}

/** @param {World} world @returns {Measurement[]} */
function groups({ ask, sql }) {
  const byHand = (/** @type {string} */ field) => () =>
    sql(`select ${field}, count(*) from orders group by ${field} order by 1`)
  const asked =
    (/** @type {string} */ field, rest = "") =>
    () =>
      ask(`/orders?groupBy[field]=${field}&groupBy[docs]=5&${rest}`)
  return [
    { name: "groups, total=false", ask: asked("status", "total=false"), bar: BARS.groups },
    { name: "groups, total[max]=1000", ask: asked("status", "total[max]=1000"), bar: BARS.groups },
    { name: "groups, counted", ask: asked("status"), byHand: byHand("status"), bar: BARS.byHand },
    { name: "groups by author, total=false", ask: asked("author", "limit=5&total=false"), bar: BARS.groups },
    { name: "groups by author, counted", ask: asked("author", "limit=5"), byHand: byHand("author"), bar: BARS.byHand },
  ]
}

/** @param {World} world @returns {Measurement} */
function aggregate({ ask, sql }) {
  const body = { groupBy: { field: "createdAt", by: "month" }, count: true, sum: { amount: true } }
  const byHand = () =>
    sql(
      `select date_trunc('month', "createdAt" at time zone 'UTC'), count(*), sum(amount) from orders group by 1 order by 1`,
    )
  return { name: "aggregate by month", ask: () => ask("/_kit/aggregate/orders", body), byHand, bar: BARS.byHand }
}

// The searched text occurs in one order.
/** @param {World} world @returns {Measurement[]} */
function texts({ ask, rows }) {
  const middle = Math.floor(rows / 2)
  return [
    {
      name: "contains without an index",
      ask: () => ask(`${PAGE}&total=false&where[note][contains]=${encodeURIComponent(`number ${middle} of`)}`),
    },
    { name: "contains with an index", ask: () => ask(`${PAGE}&total=false&where[code][contains]=c4ca42`) },
  ]
}
