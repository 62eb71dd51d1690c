/** Fills the tables with a few statements. Each record is numbered, and its id contains the number. */
export async function loadRecords(
  query: (text: string) => Promise<unknown>,
  { books, reviews }: { books: number; reviews: number },
) {
  const authors = Math.ceil(books / 10)
  const readers = Math.ceil(reviews / 30)
  const tags = 60
  const words = `repeat('lorem ipsum dolor ', 1 + n % 8) || n`
  const mentor = `case when n > 1 then ${idOf("n / 2")} end`
  const inserts = [
    insert("authors", authors, { name: "'author ' || n", bio: words, mentor }),
    insert("readers", readers, { name: "'reader ' || n", age: "n % 90" }),
    insert("tags", tags, { name: "'tag ' || n" }),
    insert("books", books, {
      title: "'book ' || n",
      pages: "n % 700",
      genre: "(array['novel', 'poem', 'essay'])[1 + n % 3]",
      author: idOf(`1 + n % ${authors}`),
    }),
    insert("reviews", reviews, {
      text: words,
      stars: "1 + n % 5",
      book: idOf(`1 + n % ${books}`),
      reader: idOf(`1 + n * 7 % ${readers}`),
    }),
    `insert into "tagging.links" (books_id, tags_id)
    select distinct ${idOf("1 + b")}, ${idOf(`1 + (b * 31 + k * 17) % ${tags}`)}
    from generate_series(0, ${books - 1}) b, generate_series(1, 3) k`,
  ]
  // Runs in sequence on one connection. The foreign keys are correct, so their checks are switched off.
  await query(
    `begin; set local statement_timeout = 0; set local session_replication_role = replica; ${inserts.join("; ")}; commit`,
  )
  // Autovacuum would do this by itself within minutes.
  await query("analyze")
}

function insert(table: string, count: number, values: Record<string, string>) {
  return `insert into ${table} (id, "createdAt", "updatedAt", ${Object.keys(values).join(", ")})
    select ${idOf("n")}, now() + n * interval '1 ms', now(), ${Object.values(values).join(", ")}
    from generate_series(1, ${count}) n`
}

function idOf(number: string) {
  return `('01890000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
}
