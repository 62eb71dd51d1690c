import { collection } from "kit"
import { isAdmin, isSignedIn, myTeams } from "../_rules.ts"

export default collection("articles")
  .fields(({ f }) => ({
    title: f.text(200).required().trim().min(1),
    slug: f
      .text(120)
      .required()
      .unique()
      .pattern(/^[a-z0-9-]+$/),
    body: f.textarea(),
    status: f.select(["idea", "writing", "done"]).required().default("idea"),
    team: f.relation("teams").required(),
    author: f.relation("people").required(),
    publishedAt: f.datetime(),
    words: f.number().integer().min(0).default(0),
    notes: f.textarea().access({ read: isSignedIn }),
    layout: f.json<{ columns: number; hero?: string }>(),
  }))
  .title("title")
  .searchable({ fields: ["body"] })
  .access({
    // Everybody sees finished articles; members see all articles of their teams.
    read: async (context) => ({ OR: [{ status: "done" }, { team: { in: await myTeams(context) } }] }),
    create: async (context) => ({ team: { in: await myTeams(context) } }),
    update: async (context) => ({ team: { in: await myTeams(context) } }),
    delete: isAdmin,
  })
