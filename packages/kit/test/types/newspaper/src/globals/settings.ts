import { global } from "kit"

export default global("settings").fields(({ f }) => ({
  siteName: f.text().required(),
  theme: f.json<"light" | "dark">().required(),
  owner: f.relation("people"),
}))
