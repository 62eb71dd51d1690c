import { type Collection, collection, type FieldAccess } from "kit"
import { plainBlockFields } from "../oracles/block-filters.ts"
import type { Where } from "../oracles/where-oracle.ts"
import { KINDS } from "../oracles/where-trees.ts"
import type { TestDatabase } from "../test-database.ts"

/**
 * The rule of a field in two forms: as an author writes it, and as SQL about the row `t`, written without the
 * framework.
 */
interface TwofoldRule {
  where(me: string): Where
  sql(me: string): string
}

const flagged: TwofoldRule = { where: () => ({ flag: true }), sql: () => "t.flag" }
const mine: TwofoldRule = { where: (me) => ({ owner: me }), sql: (me) => `t.owner = '${me}'` }

const THINGS: Readonly<Record<string, TwofoldRule>> = {
  text: flagged,
  double: { where: () => ({ whole: { gte: 0 } }), sql: () => "t.whole >= 0" },
  whole: {
    where: () => ({ owner: { is: { age: { gte: 0 } } } }),
    sql: () => "exists (select 1 from people p where p.id = t.owner and p.age >= 0)",
  },
  big: {
    where: (me) => ({ OR: [{ owner: me }, { kind: "green" }] }),
    sql: (me) => `t.owner = '${me}' or t.kind = 'green'`,
  },
  money: mine,
  flag: { where: () => ({ NOT: { kind: "blue" } }), sql: () => "(t.kind = 'blue') is not true" },
  at: { where: () => ({ owner: null }), sql: () => "t.owner is null" },
  data: { where: () => ({ data: { hasKey: "a" } }), sql: () => "jsonb_exists(t.data, 'a')" },
  day: {
    where: () => ({ parts: { some: { name: { contains: "a" } } } }),
    sql: () => "exists (select 1 from parts p where p.thing = t.id and p.name ilike '%a%')",
  },
  tags: { where: () => ({ tags: { isNotEmpty: true } }), sql: () => "cardinality(t.tags) > 0" },
  place: { where: () => ({ kind: { in: ["red", "green"] } }), sql: () => "t.kind in ('red', 'green')" },
  body: {
    where: () => ({ body: { none: { type: "rule" } } }),
    sql: () => `(t.body @> '[{"type": "rule"}]') is not true`,
  },
  owner: { where: () => ({ OR: [{ kind: "red" }, { flag: true }] }), sql: () => "t.kind = 'red' or t.flag" },
  labels: flagged,
  parts: { where: () => ({ kind: { ne: "red" } }), sql: () => "t.kind is distinct from 'red'" },
  letters: flagged,
  quiet: { where: () => ({ kind: "green" }), sql: () => "t.kind = 'green'" },
}

const PEOPLE: Readonly<Record<string, TwofoldRule>> = {
  name: { where: () => ({ age: { gte: 0 } }), sql: () => "t.age >= 0" },
  age: { where: () => ({ data: { isNotNull: true } }), sql: () => "t.data is not null" },
}

const PARTS: Readonly<Record<string, TwofoldRule>> = {
  secret: {
    where: () => ({ thing: { is: { flag: true } } }),
    sql: () => "exists (select 1 from things p where p.id = t.thing and p.flag)",
  },
  thing: { where: () => ({ name: { ne: "apple" } }), sql: () => "t.name is distinct from 'apple'" },
}

type Rules = Readonly<Record<string, TwofoldRule>>

/** Collections in which most fields have a rule about the row. */
export function ruledCollections(): Collection[] {
  return collections(({ where }) => ({ read: ({ session }) => session && where(session.user.id) }))
}

/** The same collections without rules; a field that is not stored has a column with its visible value. */
export function openCollections(): Collection[] {
  return collections(() => ({}), {
    via: "shownThing",
    letters: 'case when "hasLetters" then length("area") end',
  })
}

const PLAIN = { via: "thing", letters: 'length("area")' }

function collections(accessBy: (rule: TwofoldRule) => FieldAccess, { via, letters } = PLAIN): Collection[] {
  const accessOf = (rules: Rules) => (name: string) => accessBy(rules[name] ?? flagged)
  const ofThing = accessOf(THINGS)
  const ofPerson = accessOf(PEOPLE)
  const ofPart = accessOf(PARTS)
  const people = collection("people").fields(({ f }) => ({
    name: f.text().access(ofPerson("name")),
    age: f.number().integer().access(ofPerson("age")),
    data: f.json(),
    things: f.relation("things").hasMany({ via: "owner" }),
  }))
  const labels = collection("labels").fields(({ f }) => ({ name: f.text() }))
  const parts = collection("parts").fields(({ f }) => ({
    name: f.text(),
    secret: f.number().integer().access(ofPart("secret")),
    thing: f.relation("things").access(ofPart("thing")),
    shownThing: f.relation("things").hidden(),
  }))
  const things = collection("things")
    .fields(({ f }) => ({
      text: f.text().access(ofThing("text")),
      area: f.textarea(),
      double: f.number().access(ofThing("double")),
      whole: f.number().integer().access(ofThing("whole")),
      big: f.number().bigint().access(ofThing("big")),
      money: f.number().decimal(10, 2).access(ofThing("money")),
      flag: f.boolean().access(ofThing("flag")),
      at: f.datetime().access(ofThing("at")),
      kind: f.select(KINDS),
      data: f.json().access(ofThing("data")),
      day: f.date().access(ofThing("day")),
      time: f.time(),
      tags: f.array(f.text()).access(ofThing("tags")),
      sums: f.array(f.number().decimal(6, 2)),
      jsons: f.array(f.json()),
      place: f.object({ city: f.text(), at: f.datetime() }).access(ofThing("place")),
      body: f.blocks(plainBlockFields(f)).access(ofThing("body")),
      owner: f.relation("people").access(ofThing("owner")),
      labels: f.relation("labels").manyToMany().access(ofThing("labels")),
      parts: f.relation("parts").hasMany({ via }).access(ofThing("parts")),
      letters: f.virtual(f.number().integer(), letters).access(ofThing("letters")),
      hasLetters: f.boolean().hidden(),
      loud: f.computed(({ row }) => `${row["text"] ?? "nothing"}!`),
      quiet: f.computed(({ row }) => `${row["area"]}...`).access(ofThing("quiet")),
    }))
    .title("text")
    .searchable({ fields: ["area"] })
  return [people, labels, parts, things].map((each) => each.access({ read: true }))
}

const RULED = { things: THINGS, people: PEOPLE, parts: PARTS } as const
const LINKS = '"things.labels.labels.links"'
export const TABLES = ["labels", "people", "things", "parts", LINKS]

/**
 * Fills the other database with the data that the caller may know: the same rows, without the values that are hidden
 * from the caller. Its tables shown_things, shown_people and shown_parts list the visible fields.
 */
export async function copyWithoutHidden(from: TestDatabase, to: TestDatabase, me: string): Promise<void> {
  await to.query(`truncate ${TABLES.join(", ")}`)
  for (const table of TABLES) {
    const [rows] = await from.query(`select coalesce(jsonb_agg(t), '[]')::text as json from ${table} t`)
    await to.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [rows?.["json"]])
  }
  // All rules read the original values, so their results are stored before anything is hidden.
  for (const [table, rules] of Object.entries(RULED)) await to.query(noteShown(table, rules, me))
  await to.query(`delete from ${LINKS} l using shown_things s where s.id = l.things_id and not s.labels`)
  await to.query('update parts t set "shownThing" = t.thing from shown_things s where s.id = t.thing and s.parts')
  await to.query('update parts t set "shownThing" = null from shown_parts s where s.id = t.id and not s.thing')
  await to.query('update things t set "hasLetters" = s.letters from shown_things s where s.id = t.id')
  await to.query(hide("things", without(THINGS, ["labels", "parts", "letters", "quiet"])))
  await to.query(hide("people", PEOPLE))
  await to.query(hide("parts", PARTS))
}

function noteShown(table: string, rules: Rules, me: string): string {
  const flags = Object.entries(rules).map(([name, { sql }]) => `(${sql(me)}) is true as "${name}"`)
  return `drop table if exists shown_${table}; create table shown_${table} as select t.id, ${flags.join(", ")} from ${table} t`
}

function hide(table: string, rules: Rules): string {
  const values = Object.keys(rules).map((name) => `"${name}" = case when s."${name}" then t."${name}" end`)
  return `update ${table} t set ${values.join(", ")} from shown_${table} s where s.id = t.id`
}

function without(rules: Rules, names: readonly string[]): Rules {
  return Object.fromEntries(Object.entries(rules).filter(([name]) => !names.includes(name)))
}

/** Returns the names of the fields that each thing hides from the caller, by its id. */
export async function hiddenOfThings(copy: TestDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await copy.query("select * from shown_things")
  return new Map(rows.map(({ id, ...shown }) => [String(id), Object.keys(shown).filter((name) => !shown[name])]))
}
