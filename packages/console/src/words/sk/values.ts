import type { Words } from "../words.ts"

export const values: Words["values"] = {
  yes: "áno",
  no: "nie",
  now: "teraz",
  minutes: (count) => `${count} min`,
  today: (time) => `dnes ${time}`,
  yesterday: "včera",
  tomorrow: "zajtra",
  parts: (count) => (count === 1 ? "1 časť" : count < 5 && count > 0 ? `${count} časti` : `${count} častí`),
  changedSince: "Zmenené od zverejnenia",
}
