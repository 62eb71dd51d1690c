import { collection } from "kit"
import { countWords } from "../_count-words.ts"
import { isAdmin, isEditorOfTeam, isInMyTeam, isInMyTeamOrAdmin, isOpenToMe } from "../_rules.ts"

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
    summary: f.textarea().trim().max(300).localized().label({ en: "Summary", sk: "Zhrnutie" }),
    body: f.richText().localized().collaborative().label("Text"),
    kind: f
      .select([
        { value: "news", label: { en: "News", sk: "Správa" }, color: "blue" },
        { value: "report", label: { en: "Report", sk: "Reportáž" }, color: "green" },
        { value: "opinion", label: { en: "Opinion", sk: "Názor" }, color: "yellow" },
      ])
      .required()
      .default("news")
      .label({ en: "Kind", sk: "Druh" }),
    team: f.relation("teams").required().label({ en: "Team", sk: "Tím" }),
    author: f.relation("users").required().label({ en: "Author", sk: "Autor" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }).label({ en: "Tags", sk: "Značky" }),
    // The desk puts them in an order: readers are shown the first one first.
    related: f
      .relation("articles")
      .manyToMany({ ordered: true })
      .label({ en: "Read next", sk: "Čítajte ďalej" })
      .description({ en: "In the order in which readers see them.", sk: "V poradí, v akom ich čitatelia uvidia." }),
    comments: f.relation("comments").hasMany({ via: "article" }).label({ en: "Comments", sk: "Komentáre" }),
    cover: f.upload("media").onDelete("setNull").label({ en: "Cover", sk: "Titulný obrázok" }),
    publishedAt: f
      .datetime()
      .readOnly()
      .index()
      .width("half")
      .visible({ stage: "published" })
      .label({ en: "Published at", sk: "Zverejnené" }),
    words: f.number().integer().min(0).default(0).label({ en: "Words", sk: "Počet slov" }),
    notes: f.textarea().access({ read: isInMyTeamOrAdmin }).label({ en: "Notes", sk: "Poznámky" }),
    layout: f.json<{ columns: number; hero?: string }>().label({ en: "Layout", sk: "Rozloženie" }),
  }))
  .title("title")
  .label({ en: "Articles", sk: "Články" }, { en: "Article", sk: "Článok" })
  .icon("newspaper")
  .group({ en: "Content", sk: "Obsah" })
  .list({
    columns: ["title", "kind", "stage", "author", "team", "publishedAt"],
    orderBy: { createdAt: "desc" },
    filters: ["stage", "kind", "team", "author", "tags"],
    views: [
      { label: { en: "Unpublished", sk: "Nezverejnené" }, where: { stage: { in: ["draft", "review"] } } },
      {
        label: { en: "Changed since published", sk: "Zmenené od zverejnenia" },
        where: { stage: "published", changedSincePublished: true },
      },
      { label: { en: "Reports", sk: "Reportáže" }, where: { kind: "report" }, orderBy: { publishedAt: "desc" } },
    ],
  })
  .form(({ tab, side }) => [
    tab({ en: "Article", sk: "Článok" }, ["title", "summary", "body", "cover"]),
    tab({ en: "Notes", sk: "Poznámky" }, ["notes", "layout"]),
    side(["kind", "publishedAt", "slug", "team", "author", "tags", "related"]),
  ])
  // Readers see published articles only; the desk shows the others.
  .preview(({ record, stage }) => (stage === "published" ? `/articles/${record.slug}` : `/desk/${record.id}`))
  .searchable({
    fields: ["summary", "body", "notes"],
    // The names of the tags are not part of the article, but it is found by them.
    content: ({ tags }: { tags: readonly { name: string }[] }) => tags.map(({ name }) => name).join(" "),
    with: { tags: true },
    facets: ["kind", "stage", "team", "author", "words"],
  })
  .options({
    versions: true,
    workflow: {
      stages: {
        draft: { to: ["review"], label: { en: "Draft", sk: "Koncept" }, color: "gray" },
        review: { to: ["draft", "published"], label: { en: "In review", sk: "Na kontrole" }, color: "yellow" },
        // A published article is published again to show what was changed in it.
        published: { to: ["draft", "published"], label: { en: "Published", sk: "Zverejnené" }, color: "green" },
      },
    },
  })
  .access({
    // Everyone reads published articles. Members see the working copies of their teams, and admins all of them.
    read: true,
    drafts: isInMyTeamOrAdmin,
    create: isInMyTeam,
    update: isOpenToMe,
    transition: (context) => (context.stage === "published" ? isEditorOfTeam(context) : isOpenToMe(context)),
    delete: isAdmin,
  })
  .hooks({
    // Sums and averages are computed by the database, so the number of words is stored: that of the English text.
    beforeChange: ({ data, locale }) =>
      data.body === undefined || locale === "sk" ? data : { ...data, words: countWords(data.body) },
    // Hooks run in the transaction of the transition: if it fails, nothing is changed and the team is not notified.
    beforeTransition: async ({ to, original, clock, asSystem }) => {
      if (to !== "published" || original.publishedAt !== null) return
      const data = { publishedAt: clock.now() }
      await asSystem().collections.articles.updateById({ id: original.id, data })
    },
    afterTransition: async ({ to, original, queue, channels }) => {
      // An article that is published again is no news to its team.
      if (to !== "published" || original.publishedAt !== null) return
      await queue.notifyTeam.publish({ article: original.id })
      const data = { article: original.id, title: original.title }
      await channels.desk.publish({ params: { team: original.team }, event: "published", data })
    },
  })
