// @module-tag experiment
// @module-tag full-count

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { type Collection, collection, type Global, global } from "kit"
import { expect, test } from "vitest"
import type { Field } from "../../packages/kit/src/schema/builders/field.ts"
import { isProblem } from "../../packages/kit/src/schema/compile/field-type.ts"
import { RelationField, ToManyField } from "../../packages/kit/src/schema/fields/relation.ts"
import { CHECK_KEYWORDS } from "../../packages/kit/src/schema/json-schema/checked-by-server.ts"
import { count } from "../support/count.ts"
import { FIELD_EXAMPLES, type FieldExample } from "../support/oracles/field-examples.ts"
import { nearInputs } from "../support/oracles/json-inputs.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const INPUTS = count({ short: 500, long: 10_000 })
// The server lists at most 100 problems. The problems of few fields are fewer.
const FIELDS_PER_RESOURCE = 11
// Dry runs wait for the database most of the time.
const AT_A_TIME = 5
const LOCALES = { default: "en", all: ["en", "sk"] } as const
const TARGETS = ["01890f3e-0000-7000-8000-000000000000", "01890f3e-0000-7000-8000-00000000000a"]
const everyone = { read: true, create: true, update: true } as const

type NamedExample = readonly [string, FieldExample]
type Input = Readonly<Record<string, unknown>>

/** A way to write a record: the request, and the schema of its input. */
interface Write {
  readonly method: "POST" | "PATCH"
  readonly path: string
  readonly isValid: ValidateFunction
  /** Valid values of the fields that the input has to contain. */
  readonly needed: Input
}

const named = Object.entries(FIELD_EXAMPLES)
const OWN_VALUES = named.filter(([name]) => !name.startsWith("relation"))
const RELATIONS = named.filter(([name]) => name.startsWith("relation"))

test.each([...inParts(OWN_VALUES), RELATIONS].map((part) => [part[0]?.[0] ?? "", part] as const))(
  "the schemas of %s and the next types agree with dry runs",
  async (_name, part) => {
    const examples = part.map(([, example], index) => [`field${index}`, example] as const)
    const resources = resourcesOf(examples)
    await using app = await testApp({ resources, config: { locales: LOCALES } })
    await createTargets(app)
    const writes = await writesOf(app, examples)
    const random = seededRandom()
    const makers = examples.map(([name, { examples: values }]) => [name, nearInputs(random, values)] as const)
    const wrong: string[] = []

    for (let turn = 0; turn < INPUTS && wrong.length < 5; turn += AT_A_TIME) {
      const batch = Array.from({ length: AT_A_TIME }, (_, index) => writes[(turn + index) % writes.length] as Write)
      const compared = batch.map((write) =>
        findDisagreements(app, write, { input: inputOf(makers, random), examples, isSentAgain: random.below(3) === 0 }),
      )
      wrong.push(...(await Promise.all(compared)).flat())
    }

    expect({ seed: random.seed, wrong }).toEqual({ seed: random.seed, wrong: [] })
  },
)

function inParts(examples: readonly NamedExample[]): NamedExample[][] {
  const parts = Math.ceil(examples.length / FIELDS_PER_RESOURCE)
  return Array.from({ length: parts }, (_, part) =>
    examples.slice(part * FIELDS_PER_RESOURCE, (part + 1) * FIELDS_PER_RESOURCE),
  )
}

// The same fields in resources of each kind, with each modifier that changes what an input has to contain.
function resourcesOf(examples: readonly NamedExample[]): (Collection | Global)[] {
  const fields = (change: (field: Field) => Field, of = examples) =>
    Object.fromEntries(of.map(([name, { field }]) => [name, change(field)]))
  const toOne = examples.filter(([, { field }]) => !(field instanceof ToManyField))
  const own = examples.filter(([, { field }]) => !(field instanceof ToManyField || field instanceof RelationField))
  const required = (field: Field) => field.required()
  return [
    collection("targets")
      .fields(({ f }) => ({ name: f.text() }))
      .access(everyone),
    collection("named")
      .fields(({ f }) => ({ name: f.text() }))
      .options({ id: "client" })
      .access(everyone),
    collection("optional")
      .fields(() => fields((field) => field))
      .access(everyone),
    collection("required")
      .fields(() => fields(required, toOne))
      .access(everyone),
    collection("localized")
      .fields(({ f }) => ({ name: f.text(), ...fields((field) => field.required().localized(), own) }))
      .options({ id: "client" })
      .access(everyone),
    global("untouched")
      .fields(() => fields(required, toOne))
      .access({ read: true, update: true }),
    global("written")
      .fields(() => fields(required, toOne))
      .access({ read: true, update: true }),
  ]
}

// The server chooses the ids of the targets, so they are changed into those of the examples.
async function createTargets(app: TestApp): Promise<void> {
  for (const [index, id] of TARGETS.entries()) {
    await send(app, { method: "POST", path: "/targets" }, { name: String(index) })
    await app.database.query(`update "targets" set "id" = '${id}' where "name" = '${index}'`)
  }
  await send(app, { method: "POST", path: "/named" }, { id: "one" })
}

async function writesOf(app: TestApp, examples: readonly NamedExample[]): Promise<Write[]> {
  const schemas = new Map(await Promise.all(DESCRIBED.map((path) => readSchemas(app, path))))
  const at = (name: string, operation: "insert" | "update", locale = "en") =>
    schemas.get(`${name}/schema?locale=${locale}`)?.[operation] as ValidateFunction
  const valid = Object.fromEntries(examples.map(([name, example]) => [name, validExample(example)]))
  const requiredValues = (name: string) => neededValues(at(name, "insert"), { ...valid, id: "one" })
  const { body: optional } = await send(app, { method: "POST", path: "/optional" }, {})
  const { body: required } = await send(app, { method: "POST", path: "/required" }, requiredValues("required"))
  await send(app, { method: "POST", path: "/localized" }, requiredValues("localized"))
  await send(app, { method: "PATCH", path: "/globals/written" }, requiredValues("globals/written"))
  const nothing = {}
  return [
    { method: "POST", path: "/optional?", isValid: at("optional", "insert"), needed: nothing },
    { method: "PATCH", path: `/optional/${optional.id}?`, isValid: at("optional", "update"), needed: nothing },
    { method: "POST", path: "/required?", isValid: at("required", "insert"), needed: requiredValues("required") },
    { method: "PATCH", path: `/required/${required.id}?`, isValid: at("required", "update"), needed: nothing },
    {
      method: "POST",
      path: "/localized?locale=sk&",
      isValid: at("localized", "insert", "sk"),
      needed: { ...requiredValues("localized"), id: "two" },
    },
    { method: "PATCH", path: "/localized/one?", isValid: at("localized", "update"), needed: nothing },
    { method: "PATCH", path: "/localized/one?locale=sk&", isValid: at("localized", "update", "sk"), needed: nothing },
    {
      method: "PATCH",
      path: "/globals/untouched?",
      isValid: at("globals/untouched", "insert"),
      needed: requiredValues("globals/untouched"),
    },
    { method: "PATCH", path: "/globals/written?", isValid: at("globals/written", "update"), needed: nothing },
  ]
}

const ajv = new Ajv2020({ strict: true, allErrors: true })
ajv.addVocabulary([...CHECK_KEYWORDS])

const DESCRIBED = ["optional", "required", "localized", "globals/untouched", "globals/written"].flatMap((path) =>
  LOCALES.all.map((locale) => `${path}/schema?locale=${locale}`),
)

type Schemas = Readonly<Record<"insert" | "update", ValidateFunction>>

async function readSchemas(app: TestApp, path: string): Promise<readonly [string, Schemas]> {
  const { insert, update } = (await app.fetch(`/${path}`)).body.validation
  return [path, { insert: ajv.compile(insert), update: ajv.compile(update) }]
}

function validExample({ field, examples }: FieldExample): unknown {
  const type = field.compile()
  return examples.find((each) => !isProblem(type.parse(each)))
}

function neededValues(isValid: ValidateFunction, valid: Input): Input {
  return Object.fromEntries([...fieldsRefused(isValid, {}).keys()].map((name) => [name, valid[name]]))
}

type Maker = readonly [string, () => unknown]

// Most inputs have a value for each field, and some have only a few values.
function inputOf(makers: readonly Maker[], random: SeededRandom): Input {
  const isSparse = random.below(4) === 0
  const chosen = makers.filter(() => !isSparse || random.below(3) === 0)
  const entries = chosen.map(([name, make]) => [name, make()] as const)
  const others =
    random.below(10) === 0 ? [["extra", 1] as const] : random.below(10) === 0 ? [["id", "two"] as const] : []
  // The value as JSON holds it: without NaN, and without a sign of zero.
  return JSON.parse(JSON.stringify(Object.fromEntries([...entries, ...others])))
}

interface Compared {
  readonly input: Input
  readonly examples: readonly NamedExample[]
  /** True if the valid fields are sent again, without the others. */
  readonly isSentAgain: boolean
}

/**
 * Compares the verdicts on each field. Then sends the valid fields without the others, and each other field alone, so
 * that no value is accepted or refused only because of another one: a relation to a missing record ends the search for
 * further problems, for example.
 */
async function findDisagreements(
  app: TestApp,
  write: Write,
  { input, examples, isSentAgain }: Compared,
): Promise<string[]> {
  const refused = fieldsRefused(write.isValid, input)
  const errors = new Map(await fieldErrors(app, write, input))
  const valid = Object.entries(input).filter(([name]) => !refused.has(name) && !errors.has(name))
  const alone = [...refused.keys()].filter((name) => errors.size > 0 && !errors.has(name))
  for (const part of [...(isSentAgain ? [valid] : []), ...alone.map((name) => [[name, input[name]]])]) {
    const further = await fieldErrors(app, write, { ...write.needed, ...Object.fromEntries(part) })
    for (const [name, message] of further) errors.set(name, message)
  }
  const leftToServer = new Map(examples.map(([name, { isLeftToServer }]) => [name, isLeftToServer]))
  return [...new Set([...Object.keys(input), ...errors.keys(), ...refused.keys()])].flatMap((name) => {
    const isLeft = !refused.has(name) && (leftToServer.get(name)?.(input[name]) ?? false)
    if (refused.has(name) === errors.has(name) || isLeft) return []
    const verdicts = { schema: refused.get(name) ?? "valid", server: errors.get(name) ?? "valid" }
    return [JSON.stringify({ ...dry(write), name, value: input[name], ...verdicts })]
  })
}

function fieldsRefused(isValid: ValidateFunction, input: Input): ReadonlyMap<string, string> {
  isValid(input)
  return new Map(
    (isValid.errors ?? []).map(({ instancePath, params, message = "" }) => {
      const [, inside] = instancePath.split("/")
      return [inside ?? String(params["missingProperty"] ?? params["additionalProperty"]), message]
    }),
  )
}

async function fieldErrors(app: TestApp, write: Write, input: Input): Promise<ReadonlyMap<string, string>> {
  const { status, body } = await send(app, dry(write), input)
  if (status === 200) return new Map()
  const errors: readonly { path: string; message: string }[] = body.error.fieldErrors ?? []
  if (errors.length === 0) return new Map([["", JSON.stringify({ status, body, input })]])
  return new Map(errors.map(({ path, message }) => [path.split(".")[0] ?? "", message]))
}

function dry({ method, path }: Write): Pick<Write, "method" | "path"> {
  return { method, path: `${path}dryRun=true` }
}

function send(app: TestApp, { method, path }: Pick<Write, "method" | "path">, input: Input) {
  return app.fetch(path, { method, body: JSON.stringify(input) })
}
