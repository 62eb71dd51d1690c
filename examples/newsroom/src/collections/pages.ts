import { collection } from "kit"
import { isAdmin, isEditor, isMember } from "../_rules.ts"

/** A path of this paper, or an address elsewhere. */
const ADDRESS = /^(\/(?!\/)[\w/-]*|https?:\/\/\S+|mailto:\S+)$/

const HEADING = { en: "Heading", sk: "Nadpis" }

/** The pages of the paper itself, such as "About us". Each is built of blocks, and each language has its own. */
export default collection("pages")
  .fields(({ f }) => {
    const text = f
      .block({ text: f.richText({ nodes: ["paragraph", "heading", "bullet_list", "list_item"] }).required() })
      .label({ en: "Text", sk: "Text" })
      .icon("align-left")
    const links = f
      .block({
        heading: f.text(80).required().label(HEADING),
        links: f
          .array(
            f.object({
              label: f.text(80).required().label({ en: "Label", sk: "Text odkazu" }),
              address: f.text(300).required().pattern(ADDRESS).label({ en: "Address", sk: "Adresa" }),
              note: f.text(200).label({ en: "Note", sk: "Poznámka" }),
            }),
          )
          .required()
          .min(1)
          .max(12)
          .label({ en: "Links", sk: "Odkazy" }),
      })
      .label({ en: "List of links", sk: "Zoznam odkazov" })
      .icon("link")
    return {
      title: f.text(80).required().trim().min(1).localized().label({ en: "Title", sk: "Názov" }),
      slug: f
        .text(80)
        .required()
        .unique()
        .pattern(/^[a-z0-9-]+$/)
        .label({ en: "Address", sk: "Adresa" }),
      body: f
        .blocks({
          hero: f
            .block({
              heading: f.text(120).required().label(HEADING),
              text: f.textarea().max(400).label({ en: "Lead", sk: "Úvod" }),
              // The page stays without the image when somebody deletes it.
              image: f.upload("media").onDelete("setNull").label({ en: "Image", sk: "Obrázok" }),
            })
            .label({ en: "Opening", sk: "Úvod stránky" })
            .icon("heading"),
          text,
          quote: f
            .block({
              text: f.textarea().required().max(600).label({ en: "Quotation", sk: "Citát" }),
              by: f.text(120).label({ en: "By", sk: "Autor" }),
            })
            .label({ en: "Quotation", sk: "Citát" })
            .icon("quote"),
          figures: f
            .block({
              figures: f
                .array(f.object({ value: f.text(12).required(), label: f.text(80).required() }))
                .required()
                .min(1)
                .max(4)
                .label({ en: "Figures", sk: "Čísla" }),
            })
            .label({ en: "In numbers", sk: "V číslach" })
            .icon("hash"),
          stories: f
            .block({
              heading: f.text(80).required().label(HEADING),
              articles: f
                .array(f.relation("articles").onDelete("setNull"))
                .required()
                .min(1)
                .max(6)
                .label({ en: "Articles", sk: "Články" })
                .description({
                  en: "In the order in which readers see them.",
                  sk: "V poradí, v akom ich čitatelia uvidia.",
                }),
            })
            .label({ en: "Chosen articles", sk: "Vybrané články" })
            .icon("newspaper"),
          links,
          box: f
            .block({
              heading: f.text(80).required().label(HEADING),
              body: f.blocks({ text, links }).required().min(1).max(6).label({ en: "Content", sk: "Obsah" }),
            })
            .label({ en: "Box", sk: "Rámček" })
            .description({ en: "Stands beside the text.", sk: "Stojí vedľa textu." })
            .icon("square"),
        })
        .max(40)
        .localized()
        .label({ en: "Content", sk: "Obsah" }),
    }
  })
  .title("title")
  .label({ en: "Pages", sk: "Stránky" }, { en: "Page", sk: "Stránka" })
  .icon("file-text")
  .group({ en: "Content", sk: "Obsah" })
  .list({
    columns: ["title", "slug", "stage", "updatedAt"],
    orderBy: { title: "asc" },
    views: [
      {
        label: { en: "Changed since published", sk: "Zmenené od zverejnenia" },
        where: { changedSincePublished: true },
      },
    ],
  })
  .preview(({ record, stage }) => (stage === "published" ? `/pages/${record.slug}` : null))
  .searchable({ fields: ["body"] })
  .options({
    versions: true,
    workflow: {
      stages: {
        draft: { to: ["published"], label: { en: "Draft", sk: "Koncept" }, color: "gray" },
        published: { to: ["draft", "published"], label: { en: "Published", sk: "Zverejnené" }, color: "green" },
      },
    },
  })
  .access({
    // Everyone reads published pages, members their drafts. Editors write and publish them.
    read: true,
    drafts: isMember,
    create: isEditor,
    update: isEditor,
    transition: isEditor,
    delete: isAdmin,
  })
