import type { Words } from "./en.ts"

export const SK: Words = {
  siteName: "The Newsroom",
  skip: "Prejsť na obsah",
  sections: "Rubriky",
  frontPage: "Titulná strana",
  search: "Hľadať",
  desk: "Redakcia",
  toDesk: "Do redakcie",
  account: "Účet",
  language: "Jazyk",
  theme: { light: "Prepnúť na svetlý vzhľad", dark: "Prepnúť na tmavý vzhľad" },
  live: "Naživo",
  away: "Bez spojenia. Vidíte posledný stav, doplní sa sám.",
  loading: "Načítava sa…",
  retry: "Skúsiť znova",
  failed: "Túto časť stránky sa nepodarilo načítať.",
  notFound: { title: "Tu nič nie je", text: "Na tejto adrese nie je žiadna stránka.", back: "Na titulnú stranu" },
  kinds: { news: "Správa", report: "Reportáž", opinion: "Názor" },
  by: (name) => `Autor: ${name}`,
  minutes: (count) => `${count} min čítania`,
  articles: (count) => `${count} ${articlesWord(count)}`,
  justIn: "Práve vyšlo",
  latest: "Najnovšie",
  opinions: "Názory",
  readNext: "Čítajte ďalej",
  moreFrom: (team) => `Viac z rubriky ${team}`,
  noArticles: { title: "Rotačky stoja", text: "Zatiaľ tu nevyšiel žiadny článok." },
  archive: {
    title: "Archív",
    text: "Všetko, čo vyšlo, od najnovšieho.",
    link: "Všetky články v archíve",
    more: "Staršie články",
    loading: "Načítavajú sa staršie články…",
    failed: "Staršie články sa nepodarilo načítať.",
    end: "Tu sa archív začína.",
    added: ({ older, newer, total }) => {
      const parts = [older > 0 && `staršie: ${older}`, newer > 0 && `nové: ${newer}`].filter(Boolean).join(", ")
      return `Pribudli články (${parts}). Zobrazených je ${total}.`
    },
  },
  article: { missing: "Tento článok neexistuje alebo nie je zverejnený.", tags: "Značky" },
  find: {
    title: "Hľadať v archíve",
    placeholder: "Rieky, regata, knižnica …",
    hint: "Výsledky sa ukazujú počas písania. Preklepy sa odpúšťajú a „úvodzovky“ hľadajú presné slová.",
    none: (query) => (query === "" ? "Nič sa nenašlo." : `Pre „${query}“ sa nič nenašlo.`),
    noneHint: "Skúste menej slov, menej filtrov alebo iný jazyk.",
    team: "Rubrika",
    kind: "Druh",
    filters: "Filtre",
    clear: "Zrušiť",
  },
  signIn: {
    title: "Prihlásenie",
    text: "Pre tých, ktorí do novín píšu.",
    email: "E-mail",
    password: "Heslo",
    name: "Meno",
    submit: "Prihlásiť sa",
    other: "Ste tu nový? Vytvorte si účet",
    demo: "Účty z príkladu",
    wrong: "E-mail alebo heslo nie je správne.",
    out: "Odhlásiť sa",
  },
  signUp: {
    title: "Nový účet",
    text: "Redaktor vás potom môže pozvať do tímu.",
    submit: "Vytvoriť účet",
    other: "Máte účet? Prihláste sa",
  },
  aboutPaper: "O novinách",
  pageMissing: "Táto stránka neexistuje alebo nie je zverejnená.",
  footer: "Ukážková aplikácia kitu: každý zoznam na tejto stránke je živý.",
}

function articlesWord(count: number): string {
  if (count === 1) return "článok"
  return count > 1 && count < 5 ? "články" : "článkov"
}
