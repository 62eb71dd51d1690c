import { collection } from "kit"
import { isAdmin, isInMyTeam, isSignedIn } from "../_rules.ts"

export default collection("articles")
  .fields(({ f }) => ({
    title: f.text(200).required().trim().min(1).localized().label({ en: "Title", sk: "Nadpis" }),
    slug: f
      .text(120)
      .required()
      .unique()
      .pattern(/^[a-z0-9-]+$/)
      .label({ en: "Address", sk: "Adresa" })
      .description({ en: "The end of the article's address.", sk: "Koniec adresy článku." })
      .placeholder("a-day-at-the-lake"),
    body: f.richText().localized().collaborative().label("Text"),
    status: f
      .select([
        { value: "idea", label: { en: "Idea", sk: "Nápad" }, color: "gray" },
        { value: "writing", label: { en: "In progress", sk: "Rozpísané" }, color: "yellow" },
        { value: "done", label: { en: "Done", sk: "Hotové" }, color: "green" },
      ])
      .required()
      .default("idea")
      .label({ en: "Status", sk: "Stav" }),
    team: f.relation("teams").required().label({ en: "Team", sk: "Tím" }),
    author: f.relation("users").required().label({ en: "Author", sk: "Autor" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }).label({ en: "Tags", sk: "Značky" }),
    comments: f.relation("comments").hasMany({ via: "article" }).label({ en: "Comments", sk: "Komentáre" }),
    cover: f.upload("media").onDelete("setNull").label({ en: "Cover", sk: "Titulný obrázok" }),
    publishedAt: f.datetime().width("half").visible({ status: "done" }).label({ en: "Published at", sk: "Zverejnené" }),
    words: f.number().integer().min(0).default(0).label({ en: "Words", sk: "Počet slov" }),
    notes: f.textarea().access({ read: isSignedIn }).label({ en: "Notes", sk: "Poznámky" }),
    layout: f.json<{ columns: number; hero?: string }>().label({ en: "Layout", sk: "Rozloženie" }),
  }))
  .title("title")
  .label({ en: "Articles", sk: "Články" }, { en: "Article", sk: "Článok" })
  .icon("newspaper")
  .group({ en: "Content", sk: "Obsah" })
  .list({
    columns: ["title", "status", "author", "team", "publishedAt"],
    orderBy: { createdAt: "desc" },
    filters: ["status", "team", "author", "tags"],
    views: [
      { label: { en: "Unfinished", sk: "Nedokončené" }, where: { status: { in: ["idea", "writing"] } } },
      { label: { en: "Done", sk: "Hotové" }, where: { status: "done" }, orderBy: { publishedAt: "desc" } },
    ],
  })
  .form(({ tab, side }) => [
    tab({ en: "Article", sk: "Článok" }, ["title", "body", "cover"]),
    tab({ en: "Notes", sk: "Poznámky" }, ["notes", "layout"]),
    side(["status", "publishedAt", "slug", "team", "author", "tags"]),
  ])
  .preview(({ record, locale }) => `https://newsroom.example.com/${locale}/${record.slug}`)
  .searchable({
    fields: ["body", "notes"],
    // The names of the tags are not part of the article, but it is found by them.
    content: ({ tags }: { tags: readonly { name: string }[] }) => tags.map(({ name }) => name).join(" "),
    with: { tags: true },
    facets: ["status", "team", "author", "words"],
  })
  .options({ versions: true })
  .access({
    // Everyone sees finished articles. Members see all articles of their teams.
    read: (context) => ({ OR: [{ status: "done" }, isInMyTeam(context) || { OR: [] }] }),
    create: isInMyTeam,
    update: isInMyTeam,
    delete: isAdmin,
  })
  .hooks({
    // Runs in the transaction of the write: if the write fails, the team is not notified.
    afterChange: async ({ operation, row, original, queue, channels }) => {
      const isPublished = operation === "update" && row.status === "done" && original?.status !== "done"
      if (!isPublished) return
      await queue.notifyTeam.publish({ article: row.id })
      const data = { article: row.id, title: row.title }
      await channels.desk.publish({ params: { team: row.team }, event: "published", data })
    },
  })
