import { collection } from "kit"

export default collection("people")
  .fields(({ f }) => ({
    name: f.text().required(),
    email: f.text().required().unique(),
    bio: f.textarea().access({ read: true }),
    team: f.relation("teams"),
    boss: f.relation("people"),
    articles: f.relation("articles").hasMany({ via: "author" }),
  }))
  .searchable({ fields: ["name", "bio"] })
