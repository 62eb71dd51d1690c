import { global } from "kit"

export default global("settings")
  .fields(({ f }) => ({
    siteName: f.text().required(),
    motto: f.text().required().localized().default("News"),
    theme: f.json<"light" | "dark">().required(),
    owner: f.relation("people"),
  }))
  .options({ versions: { max: 20 }, workflow: { stages: { plan: {}, live: {} }, public: "live" } })
