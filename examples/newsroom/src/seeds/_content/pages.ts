import { richText } from "../../_rich-text.ts"
import type { PagesBodyBlockInput } from "../../generated/index.ts"
import type { Palette } from "../_paint-cover.ts"

/** A page of the seed, in both languages. */
export interface Page {
  readonly slug: string
  readonly stage: "draft" | "published"
  readonly en: PageText
  readonly sk: PageText
}

export interface PageText {
  readonly title: string
  /** The picture of its opening. */
  readonly picture?: { readonly palette: Palette; readonly alt: string }
  /** Names articles by their addresses. The seed puts their ids there. */
  readonly body: readonly PagesBodyBlockInput[]
}

const ABOUT: Page = {
  slug: "about",
  stage: "published",
  en: {
    title: "About us",
    picture: { palette: "weir", alt: "The valley above the weir, an hour before the presses stop" },
    body: [
      {
        type: "hero",
        heading: "A paper for a town on a river",
        text: "Eight people, three desks and one kettle. We write down what happens between the weir and the harbour, and ask why.",
      },
      {
        type: "text",
        text: richText(
          "The Newsroom was founded in a flood. When the printing house stood under water, four of its apprentices carried the last dry paper up to the school, and printed where the boats could land and who had bread. They never went back to printing invitations.",
          "Today we are a small paper with long articles. We would rather be second and right. Whoever writes for us has been there, has asked the person who disagrees, and has walked home along the water before the last line.",
        ),
      },
      {
        type: "figures",
        figures: [
          { value: "1", label: "river, of which we know seven courses" },
          { value: "2", label: "languages, and nothing that is lost between them" },
          { value: "3", label: "desks: Sport, Culture and Science" },
        ],
      },
      {
        type: "quote",
        text: "They rang me three times to ask whether it was the left bank or the right one. It was the left.",
        by: "Milena Pavlik, lock keeper",
      },
      {
        type: "box",
        heading: "Write to us",
        body: [
          {
            type: "text",
            text: richText("Letters reach the desk within the hour. We answer all of them, the angry ones first."),
          },
          {
            type: "links",
            heading: "Where to",
            links: [
              { label: "The desk", address: "mailto:desk@example.com" },
              { label: "Corrections", address: "mailto:corrections@example.com", note: "Shown beside the article." },
            ],
          },
        ],
      },
      {
        type: "text",
        text: richText(
          "We belong to nobody but our readers: four hundred of them own a share each, and meet once a year in the unheated cinema. The minutes are short, because of the cold.",
        ),
      },
      {
        type: "stories",
        heading: "A good place to start",
        // The second one is in review: readers see it as soon as it is published.
        articles: ["seven-rivers", "what-the-lake-remembers", "night-shift", "quiet-record", "old-bridge"],
      },
    ],
  },
  sk: {
    title: "O nás",
    picture: { palette: "weir", alt: "Údolie nad haťou, hodinu predtým, ako zastanú stroje" },
    body: [
      {
        type: "hero",
        heading: "Noviny pre mesto na rieke",
        text: "Osem ľudí, tri stoly a jedna kanvica. Zapisujeme, čo sa deje medzi haťou a prístavom, a pýtame sa prečo.",
      },
      {
        type: "text",
        text: richText(
          "The Newsroom vznikol za povodne. Keď tlačiareň stála pod vodou, štyria jej učni odniesli posledný suchý papier do školy a vytlačili, kde môžu pristáť člny a kto má chlieb. K tlačeniu pozvánok sa už nevrátili.",
          "Dnes sme malé noviny s dlhými článkami. Radšej sme druhí a máme pravdu. Kto pre nás píše, ten tam bol, opýtal sa toho, kto nesúhlasí, a pred posledným riadkom šiel domov popri vode.",
        ),
      },
      {
        type: "figures",
        figures: [
          { value: "1", label: "rieka, z ktorej poznáme sedem korýt" },
          { value: "2", label: "jazyky, medzi ktorými sa nič nestratí" },
          { value: "3", label: "stoly: Šport, Kultúra a Veda" },
        ],
      },
      {
        type: "quote",
        text: "Trikrát mi volali, či to bol ľavý breh, alebo pravý. Bol to ľavý.",
        by: "Milena Pavlíková, správkyňa zdymadla",
      },
      {
        type: "box",
        heading: "Napíšte nám",
        body: [
          {
            type: "text",
            text: richText("Listy sú v redakcii do hodiny. Odpovedáme na všetky, na nahnevané ako prvé."),
          },
          {
            type: "links",
            heading: "Kam",
            links: [
              { label: "Redakcia", address: "mailto:desk@example.com" },
              { label: "Opravy", address: "mailto:corrections@example.com", note: "Uvádzame ich pri článku." },
            ],
          },
        ],
      },
      {
        type: "stories",
        heading: "Kde začať",
        articles: ["seven-rivers", "what-the-lake-remembers", "night-shift", "quiet-record", "old-bridge"],
      },
    ],
  },
}

const HOW_WE_WORK: Page = {
  slug: "how-we-work",
  stage: "published",
  en: {
    title: "How we work",
    body: [
      {
        type: "hero",
        heading: "Four pairs of eyes, and one that looks away",
        text: "No article goes out that was read by its author alone.",
      },
      {
        type: "text",
        text: richText(
          "A draft belongs to its desk. When it is handed in, an editor reads it aloud, which finds most mistakes and all of the adjectives. Then somebody from another desk reads it, who does not know the people in it.",
          "We name our sources. Where we cannot, two of us know the name, and we say that we left it out.",
        ),
      },
      {
        type: "box",
        heading: "A mistake?",
        body: [
          { type: "text", text: richText("Tell us which sentence, and how you know. That is all we need.") },
          {
            type: "links",
            heading: "Where to",
            links: [{ label: "Corrections", address: "mailto:corrections@example.com" }],
          },
        ],
      },
      { type: "quote", text: "If it cannot be said to the person’s face, it is not finished.", by: "Rule one" },
      {
        type: "text",
        text: richText(
          "What is wrong is corrected in the article, at once, and the old sentence can be read in its history. We do not delete articles because somebody asks. We do remove the name of a child.",
        ),
      },
      {
        type: "links",
        heading: "Read on",
        links: [{ label: "About us", address: "/pages/about", note: "Who we are." }],
      },
    ],
  },
  sk: {
    title: "Ako pracujeme",
    body: [
      {
        type: "hero",
        heading: "Štyri páry očí a jeden, ktorý sa díva inam",
        text: "Nevychádza článok, ktorý čítal iba jeho autor.",
      },
      {
        type: "text",
        text: richText(
          "Koncept patrí svojmu stolu. Keď ho autor odovzdá, redaktor ho prečíta nahlas, čím nájde väčšinu chýb a všetky prídavné mená. Potom ho číta niekto od iného stola, kto ľudí v ňom nepozná.",
          "Zdroje menujeme. Kde nemôžeme, tam meno poznajú dvaja z nás a povieme, že sme ho vynechali.",
        ),
      },
      { type: "quote", text: "Čo sa nedá povedať človeku do očí, nie je hotové.", by: "Prvé pravidlo" },
    ],
  },
}

const JOIN: Page = {
  slug: "join",
  stage: "draft",
  en: {
    title: "Write for us",
    body: [
      { type: "hero", heading: "We look for somebody who listens", text: "Still missing: the date, and the pay." },
    ],
  },
  sk: {
    title: "Píšte pre nás",
    body: [{ type: "hero", heading: "Hľadáme niekoho, kto počúva", text: "Chýba ešte termín a plat." }],
  },
}

export const PAGES: readonly Page[] = [ABOUT, HOW_WE_WORK, JOIN]
