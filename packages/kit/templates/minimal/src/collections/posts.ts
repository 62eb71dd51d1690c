import { collection } from "kit"

export default collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    body: f.textarea(),
    status: f.select(["draft", "published"]).required().default("draft"),
    author: f.relation("users"),
  }))
  .title("title")
  .access({
    // Everyone reads published posts. Signed-in users also read their own drafts.
    read: ({ session }) =>
      session ? { OR: [{ status: "published" }, { author: session.user.id }] } : { status: "published" },
    create: ({ session }) => session && { author: session.user.id },
    update: ({ session }) => session && { author: session.user.id },
    delete: ({ session }) => session && { author: session.user.id },
  })
