import type { Words } from "../words.ts"

/** Volania za obrazovkou. */
export const code: Words["code"] = {
  title: "Ako kód",
  purposes: {
    find: "Záznamy tohto zoznamu",
    groups: "Skupiny tohto zoznamu",
    count: "Koľko ich je",
    read: "Tento záznam",
    update: "Uloženie zmien",
    create: "Vytvorenie",
    session: "Vaše prihlásenie",
    people: "Účty tohto zoznamu",
  },
  copyShort: "Kopírovať",
  copy: (language) => `Kopírovať ${language}`,
  copied: "Skopírované",
  selected: "Označené: skopírujte klávesmi",
  before: "Pred prvým volaním",
  beforeHint: "Program vytvorí klienta raz. Shell sa prihlási raz a uloží si cookie. Doplňte svoje heslo.",
  beforeElsewhere: "Program vytvorí klienta raz. Prihlási sa ako vaša aplikácia, cez cookie alebo token.",
}
