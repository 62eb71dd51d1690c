import { collection } from "kit"

export default collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    body: f.textarea(),
    status: f.select(["draft", "published"]).required().default("draft"),
    author: f.relation("users").required(),
  }))
  .title("title")
  .access({
    // Everyone reads published posts, and authors also read their own drafts.
    read: ({ session }) =>
      session ? { OR: [{ status: "published" }, { author: session.user.id }] } : { status: "published" },
    // A rule that returns a filter allows the write if the post matches it, before and after the write.
    create: ({ session }) => session && { author: session.user.id },
    update: ({ session }) => session && { author: session.user.id },
    delete: ({ session }) => session && { author: session.user.id },
  })
