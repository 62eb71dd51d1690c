import { expect, test } from "vitest"
import { type ListState, listQuery, PLAIN_LIST, parseListState } from "../src/screens/list/list-state.ts"

const WHOLE: ListState = {
  view: 2,
  conditions: [
    { path: ["customer", "city"], operator: "isAnyOf", operand: ["Brno", "Košice: the old town"] },
    { path: ["placed"], operator: "inTheLast", operand: 7 },
    { path: ["note"], operator: "isEmpty", operand: null },
  ],
  order: "-customer.name",
  search: "swifts & co = #1",
  isTrash: true,
  stage: "published",
  locale: "sk",
  group: "kind",
}

test("an address says all of a list's state", () => {
  expect(parseListState(listQuery(WHOLE))).toEqual(WHOLE)
})

test("a plain list has a plain address", () => {
  expect(listQuery(PLAIN_LIST)).toBe("")
  expect(parseListState("")).toEqual(PLAIN_LIST)
})

test.each([
  "view=0",
  "view=-1",
  "view=x",
  "view=99999",
  "filter=",
  "filter=title",
  "filter=title:is",
  "filter=title:is:",
  "filter=title:is:{",
  "filter=:is:1",
  "filter=a..b:is:1",
  "filter=<b>:is:1",
  "order=",
  "order=-",
  "order=a b",
  "order=../x",
  "stage=<script>",
  "locale=%00",
  "group=a b",
  "trash=yes",
  "search=",
  "%E0%A4%A",
  "====&&&",
])("an address with nonsense is one of a plain list: %s", (query) => {
  expect(parseListState(query)).toEqual(PLAIN_LIST)
})

test("of an address with some nonsense the rest is kept", () => {
  const state = parseListState("view=zzz&filter=kind:isAnyOf:[&filter=kind:isAnyOf:%5B%22news%22%5D&order=-title")

  expect(state.conditions).toEqual([{ path: ["kind"], operator: "isAnyOf", operand: ["news"] }])
  expect(state.order).toBe("-title")
})
