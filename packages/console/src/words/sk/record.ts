import type { Words } from "../words.ts"

export const record: Words["record"] = {
  save: "Uložiť",
  failed: "Záznam sa nepodarilo načítať",
}
