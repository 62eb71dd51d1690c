/** A condition of a filter: a field, reached through relations, an operator, and what the field is compared with. */
export interface Condition {
  /** The names of fields: of a relation, of a relation of its records, and so on, and of the field that is compared. */
  readonly path: readonly string[]
  readonly operator: string
  readonly operand: unknown
}

/** The state of a list, all of which stands in its address. */
export interface ListState {
  /** The number of the declared view, from 0; null for all records. */
  readonly view: number | null
  readonly conditions: readonly Condition[]
  /** The names of fields that lead to the value by which the list is ordered, with a minus before it if it descends. */
  readonly order: string | null
  readonly search: string
  readonly isTrash: boolean
  /** The stage that is read; null for the one in which people work. */
  readonly stage: string | null
  /** The locale of the texts; null for that of the console. */
  readonly locale: string | null
  /** The name of the field by which the records are put into groups. */
  readonly group: string | null
}

export const PLAIN_LIST: ListState = {
  view: null,
  conditions: [],
  order: null,
  search: "",
  isTrash: false,
  stage: null,
  locale: null,
  group: null,
}

const MAX_CONDITIONS = 50
const MAX_SEARCH_LENGTH = 500
const NAME = /^[\w-]+$/
const PATH = /^[\w-]+(\.[\w-]+)*$/

/** Reads the state of a list from the query of an address. What makes no sense is left out. */
export function parseListState(query: string): ListState {
  const values = new URLSearchParams(query)
  const view = Number.parseInt(values.get("view") ?? "", 10)
  const order = values.get("order")
  return {
    view: view >= 1 && view <= 1000 ? view - 1 : null,
    conditions: values.getAll("filter").slice(0, MAX_CONDITIONS).flatMap(parseCondition),
    order: order !== null && PATH.test(order.replace(/^-/, "")) ? order : null,
    search: (values.get("search") ?? "").slice(0, MAX_SEARCH_LENGTH),
    isTrash: values.get("trash") === "1",
    stage: nameOf(values.get("stage")),
    locale: nameOf(values.get("locale")),
    group: nameOf(values.get("group")),
  }
}

/** Writes the state of a list as the query of an address, with a question mark if it is not empty. */
export function listQuery(state: ListState): string {
  const values = new URLSearchParams()
  if (state.view !== null) values.set("view", String(state.view + 1))
  for (const { path, operator, operand } of state.conditions) {
    values.append("filter", `${path.join(".")}:${operator}:${JSON.stringify(operand)}`)
  }
  if (state.order !== null) values.set("order", state.order)
  if (state.search !== "") values.set("search", state.search)
  if (state.isTrash) values.set("trash", "1")
  if (state.stage !== null) values.set("stage", state.stage)
  if (state.locale !== null) values.set("locale", state.locale)
  if (state.group !== null) values.set("group", state.group)
  const query = values.toString()
  return query === "" ? "" : `?${query}`
}

function parseCondition(text: string): Condition[] {
  const [, path = "", operator = "", json = ""] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? []
  if (!PATH.test(path) || !NAME.test(operator)) return []
  try {
    return [{ path: path.split("."), operator, operand: JSON.parse(json) }]
  } catch {
    return []
  }
}

function nameOf(text: string | null): string | null {
  return text !== null && NAME.test(text) ? text : null
}
