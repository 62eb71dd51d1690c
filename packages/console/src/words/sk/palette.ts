import type { Words } from "../words.ts"

export const palette: Words["palette"] = {
  label: "Hľadať alebo prejsť",
  recent: "Naposledy",
  goTo: "Prejsť na",
  actions: "Urobiť",
  view: "Pohľad",
  searchIn: (label, text) => `Hľadať „${text}“: ${label}`,
  themes: { device: "Vzhľad podľa zariadenia", light: "Svetlý vzhľad", dark: "Tmavý vzhľad" },
  densities: { roomy: "Voľné riadky", compact: "Husté riadky" },
  language: (name) => `Jazyk: ${name}`,
  keys: "Klávesy",
  searching: "Hľadá sa…",
  nothing: (text) => `Nič sa nevolá „${text}“. Názvy sa hľadajú podľa začiatkov slov.`,
  notSearched: (labels) => `Neprehľadané: ${labels}. Sú veľké; dlhšie slová v nich možno niečo nájdu.`,
  failed: "Záznamy sa nepodarilo prehľadať.",
  keyChoose: "výber",
  keyOpen: "otvoriť",
  keyNewTab: "na novej karte",
}
