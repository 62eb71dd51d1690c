import type { Words } from "../words.ts"

export const entrance: Words["entrance"] = {
  signIn: "Prihlásiť sa",
  email: "E-mail",
  password: "Heslo",
}
