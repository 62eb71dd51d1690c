import { collection } from "kit"
import { isAdmin, isInMyTeam, isSignedIn } from "../_rules.ts"

export default collection("articles")
  .fields(({ f }) => ({
    title: f.text(200).required().trim().min(1).localized(),
    slug: f
      .text(120)
      .required()
      .unique()
      .pattern(/^[a-z0-9-]+$/),
    body: f.textarea().localized(),
    status: f.select(["idea", "writing", "done"]).required().default("idea"),
    team: f.relation("teams").required(),
    author: f.relation("users").required(),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    comments: f.relation("comments").hasMany({ via: "article" }),
    cover: f.upload("media").onDelete("setNull"),
    publishedAt: f.datetime(),
    words: f.number().integer().min(0).default(0),
    notes: f.textarea().access({ read: isSignedIn }),
    layout: f.json<{ columns: number; hero?: string }>(),
  }))
  .title("title")
  .searchable({ fields: ["body"] })
  .options({ versions: true })
  .access({
    // Everyone sees finished articles. Members see all articles of their teams.
    read: (context) => ({ OR: [{ status: "done" }, isInMyTeam(context) || { OR: [] }] }),
    create: isInMyTeam,
    update: isInMyTeam,
    delete: isAdmin,
  })
  .hooks({
    // Runs in the transaction of the write: if the write fails, the team is not notified.
    afterChange: async ({ operation, row, original, queue, channels }) => {
      const isPublished = operation === "update" && row.status === "done" && original?.status !== "done"
      if (!isPublished) return
      await queue.notifyTeam.publish({ article: row.id })
      const data = { article: row.id, title: row.title }
      await channels.desk.publish({ params: { team: row.team }, event: "published", data })
    },
  })
