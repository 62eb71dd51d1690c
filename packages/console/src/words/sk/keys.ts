import type { Words } from "../words.ts"

export const keys: Words["keys"] = {
  title: "Klávesy",
  everywhere: "Všade",
  goTo: "Prejsť na",
  palette: "Hľadať alebo prejsť",
  search: "Hľadať",
  help: "Tieto klávesy",
  escape: "Zavrieť to, čo je navrchu",
  letters: "Písmená sú klávesy",
  lettersHint: "Vypnite to, ak počítaču diktujete. Klávesy s ⌘ alebo Ctrl zostanú.",
  on: "Zapnuté",
  off: "Vypnuté",
  record: "Klávesy tohto záznamu",
  drawer: "Klávesy tohto formulára",
  save: "Uložiť",
  saveAndBack: "Uložiť a ísť späť",
  moves: "Presunúť do iného stavu",
  previous: "Predchádzajúci záznam zoznamu",
  next: "Nasledujúci záznam zoznamu",
}
