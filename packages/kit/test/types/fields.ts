// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { fieldSet as f } from "../../src/schema/fields/field-set.ts"
import { same } from "./same.ts"

export function values() {
  const status = f.select(["draft", "done"]).required().default("draft")
  same<typeof status.value, "draft" | "done">()
  const layout = f
    .json<{ columns: number }>()
    .default(() => ({ columns: 1 }))
    .hidden()
  same<typeof layout.value, { columns: number }>()
  const place = f.object({ city: f.text().required(), size: f.number() }).default({ city: "Brno" })
  same<typeof place.value.city, string | null | undefined>()
  const topics = f.select(["sport", "culture"]).multiple().default(["sport"])
  same<typeof topics.value, readonly ("sport" | "culture")[]>()
  const replaced = f.select(["draft", "done"]).replacedOptions({ old: "draft", spam: null }).required()
  same<typeof replaced.value, "draft" | "done">()
  const described = f.select(["idea", { value: "done", label: "Done", color: "green" }]).default("done")
  same<typeof described.value, "idea" | "done">()
  const several = f.select([{ value: "sport" }, { value: "culture", label: { en: "Culture" } }]).multiple()
  same<typeof several.value, readonly ("sport" | "culture")[]>()
  const shown = f.select(["draft", "done"]).visible({ kind: "video" }).required().default("done")
  same<typeof shown.value, "draft" | "done">()
  const listed = f.array(f.select([{ value: "a" }, "b"]))
  same<typeof listed.value, readonly ("a" | "b")[]>()
}

export function blocks() {
  const page = f
    .blocks({
      hero: f.block({ heading: f.text().required() }).label("Hero").icon("star"),
      quote: { text: f.textarea(), stars: f.number() },
      rule: {},
    })
    .min(1)
    .default([{ type: "hero", heading: "Hello" }, { type: "rule" }])
    .default(() => [{ type: "quote", id: "q", text: null }])
  type Item = (typeof page.value)[number]
  same<Item["type"], "hero" | "quote" | "rule">()
  same<Extract<Item, { type: "quote" }>["stars"], number | null | undefined>()
  same<Extract<Item, { type: "hero" }>["id"], string | undefined>()
  // @ts-expect-error no such block
  page.default([{ type: "heroe", heading: "Hello" }])
  // @ts-expect-error a member of another block
  page.default([{ type: "hero", text: "Hello" }])
  // @ts-expect-error a member of another type
  page.default([{ type: "quote", stars: "five" }])
  // @ts-expect-error a block is an object of fields
  f.blocks({ hero: f.text() })
  // @ts-expect-error a member is a field
  f.blocks({ hero: { heading: "text" } })
  // @ts-expect-error a member is a field, in the long form, too
  f.block({ heading: "text" })
}

export function defaults() {
  f.text().default(({ session }) => session?.user.id ?? "nobody")
  f.relation("people").default(({ session }) => session?.user.id)
  f.number().default(async ({ collections }) => (await collections["people"]?.count()) ?? null)
  f.select(["draft", "done"]).default(({ locale }) => (locale === "en" ? "draft" : "done"))
  f.json().default(({ session }) => ({ by: session?.user.id }))
  f.json().default([1])
  // @ts-expect-error a number is not text
  f.text().default(({ session }) => (session ? 1 : 2))
  // @ts-expect-error a promise of a number is not a promise of text
  f.text().default(async () => 1)
  // @ts-expect-error the context has no such member
  f.text().default(({ sesion }) => sesion)
  // @ts-expect-error no such option, by the context
  f.select(["draft", "done"]).default(({ session }) => (session ? "drat" : "done"))
}

export function refused() {
  // @ts-expect-error no such option
  f.select(["draft", "done"]).default("drat")
  // @ts-expect-error no such option, from a function
  f.select(["draft", "done"]).default(() => "drat")
  // @ts-expect-error the check is about another type
  f.select(["draft", "done"]).validate((value: number) => value > 1)
  // @ts-expect-error no such option in place of an old one
  f.select(["draft", "done"]).replacedOptions({ old: "drat" })
  // @ts-expect-error no such option among the described ones
  f.select(["idea", { value: "done" }]).default("don")
  // @ts-expect-error an option has a value
  f.select(["idea", { label: "Done" }])
  // @ts-expect-error an option has no such member
  f.select(["idea", { value: "done", colour: "red" }])
  // @ts-expect-error a list of options
  f.select("draft")
  // @ts-expect-error a member has another type
  f.json<{ columns: number }>().default({ columns: "one" })
  // @ts-expect-error the check is about another type
  f.json<{ columns: number }>().validate((value: string) => value !== "")
  // @ts-expect-error a part has another type
  f.object({ city: f.text() }).default({ city: 5 })
  // @ts-expect-error a part is a field
  f.object({ city: "text" })
}
