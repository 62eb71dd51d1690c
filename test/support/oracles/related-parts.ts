import fc from "fast-check"

type Row = Readonly<Record<string, unknown>>

/** The ids to which the values of one collection's relations refer. */
export interface TargetIds {
  readonly media: readonly string[]
  readonly people: readonly string[]
}

/** The fields of a page whose values have ids in many places. */
export function partFields(f: any): Record<string, any> {
  const media = () => f.relation("media").onDelete("setNull")
  return {
    body: f.blocks({
      hero: { heading: f.text(), image: media(), person: f.relation("people").onDelete("setNull") },
      gallery: {
        pictures: f.array(f.object({ caption: f.text(), image: media() })),
        related: f.array(media()),
        frame: f.object({ image: media(), inner: f.object({ people: f.array(f.relation("people")) }) }),
      },
      columns: { left: f.blocks({ card: { image: media() }, rule: {} }) },
      rule: {},
    }),
    seo: f.object({ label: f.text(), image: media() }),
    slides: f.array(f.object({ image: media() })),
  }
}

/** Generates the values of these fields. */
export function partValues({ media, people }: TargetIds): fc.Arbitrary<Row> {
  const image = fc.option(fc.constantFrom(...media), { freq: 5 })
  const person = fc.option(fc.constantFrom(...people), { freq: 5 })
  const images = fc.array(fc.constantFrom(...media), { maxLength: 4 })
  const type = (name: string) => fc.constant(name)
  const item = fc.oneof(
    fc.record({ type: type("hero"), heading: fc.constantFrom("a", "b"), image, person }),
    fc.record({
      type: type("gallery"),
      pictures: fc.option(fc.array(fc.record({ caption: fc.constant("c"), image }), { maxLength: 3 })),
      related: fc.option(images),
      frame: fc.option(
        fc.record({
          image,
          inner: fc.option(fc.record({ people: fc.array(fc.constantFrom(...people), { maxLength: 3 }) })),
        }),
      ),
    }),
    fc.record({
      type: type("columns"),
      left: fc.option(
        fc.array(fc.oneof(fc.record({ type: type("card"), image }), fc.record({ type: type("rule") })), {
          maxLength: 3,
        }),
      ),
    }),
    fc.record({ type: type("rule") }),
  )
  return fc.record({
    body: fc.option(fc.array(item, { maxLength: 5 }), { freq: 8 }),
    seo: fc.option(fc.record({ label: fc.constant("l"), image }), { freq: 4 }),
    slides: fc.option(fc.array(fc.record({ image }), { maxLength: 3 })),
  })
}

/** The options of a relation in `with`: `true`, or an object of options. */
export type LeafOptions = true | Row

const mediaOptions = fc.constantFrom<LeafOptions>(
  true,
  { columns: { name: true } },
  { where: { name: { ne: "picture 1" } } },
  { columns: { name: true }, with: { owner: true } },
)
const peopleOptions = fc.constantFrom<LeafOptions>(
  true,
  { columns: { name: true } },
  { with: { card: { image: true } } },
)

/** Generates the option `with` for these fields. Every name in it may be left out. */
export function partRelations(): fc.Arbitrary<Row> {
  const image = mediaOptions
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] })
  return some({
    body: some({
      hero: some({ image, person: peopleOptions }),
      gallery: some({
        pictures: some({ image }),
        related: image,
        frame: some({ image, inner: some({ people: peopleOptions }) }),
      }),
      columns: some({ left: some({ card: some({ image }) }) }),
    }),
    seo: some({ image }),
    slides: some({ image }),
  })
}

const TARGET_OF: ReadonlyMap<string, keyof TargetIds> = new Map([
  ...["image", "related"].map((name) => [name, "media"] as const),
  ...["person", "people"].map((name) => [name, "people"] as const),
])

/** Returns the record that the caller finds by the id with these options; null if there is none. */
export type FindTarget = (target: keyof TargetIds, id: string, options: LeafOptions) => Promise<unknown>

/** Replaces the ids in a value by records, as the documentation says. */
export async function withRecords(value: unknown, related: Row, find: FindTarget): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value))
    return await Promise.all(value.map((item) => withRecords(item, ofItem(item, related), find)))
  const entries = Object.entries(value).map(async ([name, inner]) => {
    const asked = Object.hasOwn(related, name) ? related[name] : undefined
    if (asked === undefined) return [name, inner] as const
    const target = TARGET_OF.get(name)
    if (target === undefined) return [name, await withRecords(inner, asked as Row, find)] as const
    const findOne = (id: unknown) => find(target, String(id), asked as LeafOptions)
    if (!Array.isArray(inner)) return [name, inner === null ? null : await findOne(inner)] as const
    const found = await Promise.all(inner.map(findOne))
    return [name, found.filter((record) => record !== null)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

// An item of a list of blocks is known by its type; the items of other lists have no name of their own.
function ofItem(item: unknown, related: Row): Row {
  const { type } = item as { readonly type?: string }
  return type === undefined ? related : ((related[type] ?? {}) as Row)
}
