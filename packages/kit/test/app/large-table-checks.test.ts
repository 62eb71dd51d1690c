import { describe, expect, test } from "vitest"
import { largeTableFindings } from "../../src/app/doctor/large-table-checks.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { Resource } from "../../src/schema/compile/resource.ts"

const orders = collection("orders").fields(({ f }) => ({
  code: f.text(),
  number: f.text().unique(),
  email: f.email().index(),
  note: f.textarea(),
  amount: f.number().decimal(10, 2),
  status: f.select(["open", "paid"]),
  isLate: f.boolean(),
  data: f.json(),
  secret: f.text().hidden(),
}))
const plain = collection("plain").fields(({ f }) => ({ code: f.text().unique(), status: f.select(["open"]) }))

describe("kit doctor says of a large collection", () => {
  test("which fields have no index, if all of its records are read again and again", () => {
    expect(largeTableFindings(compiled(orders), { rows: 200_000, scanned: 30_000_000 })).toEqual([
      {
        status: "warn",
        message: '"orders" has about 200,000 records, all of which were read 150 times',
        fix:
          "Give an index to the fields by which requests filter or sort. " +
          'For comparisons and orders: .indexes([{ fields: ["code"] }, { fields: ["amount"] }]). ' +
          'For filters inside of texts: .index("contains") on "code", "note".',
      },
    ])
  })

  test("that a list counts all of its records", () => {
    expect(largeTableFindings(compiled(orders), { rows: 2_000_000, scanned: 0 })).toEqual([
      {
        status: "ok",
        message:
          '"orders" has about 2,000,000 records: a list counts all that match, unless it asks for total: false, "estimate" or { max }',
      },
    ])
  })

  test.each([
    ["a small one", orders, { rows: 99_999, scanned: 1e12 }],
    ["one that is rarely read completely", orders, { rows: 200_000, scanned: 19_000_000 }],
    ["one whose fields have indexes", plain, { rows: 200_000, scanned: 1e12 }],
    ["an empty one", orders, { rows: 0, scanned: 0 }],
  ])("nothing of %s", (_, declared, statistics) => {
    expect(largeTableFindings(compiled(declared), statistics)).toEqual([])
  })
})

function compiled({ definition }: typeof orders | typeof plain): Resource {
  const result = compileSchema([{ file: "it.ts", definition }])
  if ("mistakes" in result) throw new Error(result.mistakes.map(({ message }) => message).join("\n"))
  const [resource] = result.schema.resources
  if (resource === undefined) throw new Error("There is no collection.")
  return resource
}
