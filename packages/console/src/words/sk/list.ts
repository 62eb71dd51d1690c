import type { Words } from "../words.ts"

export const list: Words["list"] = {
  create: (singular) => `Pridať: ${singular}`,
  failed: "Zoznam sa nepodarilo načítať",
}
