import type { Words } from "../words.ts"

export const parts: Words["parts"] = {
  empty: (label) => `Vyprázdniť: ${label}`,
  add: "Pridať",
  addTo: (label) => `Pridať do: ${label}`,
  pasteBlock: "Prilepiť",
  closeNote: "Zavrieť",
  unknownBlock: "už nie je v aplikácii",
  unknownBlockHint:
    "Aplikácia už tento druh bloku nemá. Ostáva tak, ako je uložený. Keď sa tento zoznam zmení, server požiada o jeho odstránenie.",
  paste: {
    foreign: (key) =>
      `V schránke nie sú bloky. Skopírujte blok tu alebo v inom zázname, alebo na bloku stlačte ${key}.`,
    unknownTypes: (types) => `Tento zoznam nemá: ${types}.`,
    lostMembers: (names) => `Vynechané, lebo to tunajšie bloky nemajú: ${names}.`,
    tooMany: (count) => `Pre ďalšie (${count}) nie je miesto.`,
  },
  removed: "Odstránené.",
  undo: "Späť",
  noText: "zatiaľ bez textu",
  problems: (count) => (count === 1 ? "1 problém" : count < 5 ? `${count} problémy` : `${count} problémov`),
  place: (place, count) => `Presunuté na miesto ${place} z ${count}.`,
  atLeast: (count, least) => `${count} z najmenej ${least}`,
  ofAtMost: (count, most) => `${count} z najviac ${most}`,
  itemActions: (place) => `Akcie položky ${place}`,
  removeItem: (name) => `Odstrániť ${name}`,
  actions: {
    up: "Posunúť vyššie",
    down: "Posunúť nižšie",
    duplicate: "Duplikovať",
    copy: "Kopírovať",
    remove: "Odstrániť",
  },
  richText: {
    placeholder: "Píšte, alebo stlačte / pre ďalšie možnosti",
    tools: "Nástroje vybraného textu",
    tableTools: "Tabuľka",
    link: "Odkaz",
    linkAddress: "Adresa odkazu",
    setLink: "Nastaviť",
    removeLink: "Zrušiť odkaz",
    linkRefused: "Odkaz vedie na stránku (https://…), e-mailovú adresu alebo telefónne číslo (tel:…).",
    insert: "Čím sa riadok stane",
    words: (count) => {
      if (count === 1) return "1 slovo"
      return count > 1 && count < 5 ? `${count} slová` : `${count.toLocaleString("sk")} slov`
    },
    lossy: ({ kind, name }) =>
      `Tento editor by z textu stratil „${name}“ (${LOSSES[kind]}). Preto sa tu dá iba čítať a nič z neho sa nestratí.`,
    toolNames: {
      paragraph: "Text",
      heading1: "Nadpis 1",
      heading2: "Nadpis 2",
      heading3: "Nadpis 3",
      heading4: "Nadpis 4",
      bulletList: "Zoznam",
      orderedList: "Číslovaný zoznam",
      quote: "Citát",
      codeBlock: "Blok kódu",
      rule: "Čiara",
      table: "Tabuľka",
      strong: "Tučné",
      em: "Kurzíva",
      strike: "Prečiarknuté",
      code: "Kód",
      addRow: "Pridať riadok pod",
      addColumn: "Pridať stĺpec za",
      headerRow: "Prvý riadok ako hlavička",
      deleteRow: "Odstrániť riadok",
      deleteColumn: "Odstrániť stĺpec",
      deleteTable: "Odstrániť tabuľku",
    },
  },
  shared: {
    savedAsYouType: "ukladá sa počas písania",
    saving: "Ukladá sa …",
    connecting: "Pripája sa …",
    offline: "Bez spojenia. Text ostáva v tomto zariadení.",
    kept: (count) => `Bez spojenia. V tomto zariadení čaká úprav: ${count}.`,
    denied: "Už to nemôžete upravovať. Čo ste napísali, ostáva tu, aby ste si to mohli skopírovať.",
    notSaved: (problem) => `Najnovší text ešte nie je v zázname: ${problem}`,
    invalidJson: (problem) => `Ešte neuložené: ${problem}`,
    notAnObject: "Ešte neuložené: hodnota má byť objekt, { … }.",
  },
}

const LOSSES = { node: "uzol", mark: "značka", attribute: "atribút", content: "obsah" }
