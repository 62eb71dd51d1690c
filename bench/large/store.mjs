const AUTHORS = 1_000
const TEAMS = 50
const YEARS = 5

/**
 * Stores the orders in one statement. Every value is computed from the number of the row, so that each run has the same
 * rows. The times are spread over years, in no order of the ids. The indexes are made again afterwards, which takes a
 * fraction of the time, and no trigger checks the foreign keys.
 *
 * @param {import("pg").Client} client
 * @param {number} rows
 */
export async function storeOrders(client, rows) {
  const named = (/** @type {string} */ table) =>
    `insert into ${table} (id, name, "createdAt", "updatedAt")
     select md5('${table}' || number)::uuid, '${table} ' || number, now(), now() from generate_series(1, $1::int) number`
  await client.query(named("authors"), [AUTHORS])
  await client.query(named("teams"), [TEAMS])
  const indexes = (await client.query(INDEXES)).rows
  await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'")
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  // Times are spread by a prime number, which visits each second of the years once.
  await client.query(
    `insert into orders (id, code, note, status, amount, author, team, "createdAt", "updatedAt")
     select md5(number::text)::uuid, substr(md5('code' || number), 1, 10), 'order number ' || number || ' of ' || md5('note' || number),
       (array['open', 'paid', 'paid', 'sent', 'closed', 'closed', 'closed'])[1 + number % 7],
       (number % 100000) / 100.0, md5('authors' || (1 + number % ${AUTHORS}))::uuid, md5('teams' || (1 + number % ${TEAMS}))::uuid, at, at
     from generate_series(1, $1::int) number,
       lateral (select timestamptz '2021-01-01' + (number::bigint * 7919933 % ${YEARS * 31_536_000}) * interval '1 second' as at) _time`,
    [rows],
  )
  for (const { definition } of indexes) await client.query(definition)
  await client.query("reset session_replication_role; reset maintenance_work_mem")
  await client.query("vacuum (analyze) orders")
  await client.query("analyze authors, teams")
}

const INDEXES = `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'orders'::regclass and not i.indisprimary`
