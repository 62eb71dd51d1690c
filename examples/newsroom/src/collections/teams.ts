import { collection } from "kit"
import { isAdmin } from "../_rules.ts"

export default collection("teams")
  .fields(({ f }) => ({
    name: f.text(80).required().trim().min(1).localized(),
    slug: f
      .text(80)
      .required()
      .unique()
      .pattern(/^[a-z0-9-]+$/),
    about: f.textarea().localized(),
    memberships: f.relation("memberships").hasMany({ via: "team" }),
  }))
  .title("name")
  .searchable({ fields: ["about"] })
  .label({ en: "Teams", sk: "Tímy" }, { en: "Team", sk: "Tím" })
  .icon("users")
  .group({ en: "People", sk: "Ľudia" })
  .access({ read: true, create: isAdmin, update: isAdmin, delete: isAdmin })
