import { route } from "kit"
import { z } from "zod"

/** POST /api/posts/publish: publishes those of the posts that the caller may change. */
export default route()
  .schema(z.object({ posts: z.array(z.uuid()).min(1).max(100) }))
  .access(({ session }) => session !== null)
  .handler(async ({ input, collections }) => {
    const published = await collections.posts.updateMany({
      where: { id: { in: input.posts } },
      data: { status: "published" },
    })
    return { published: published.map(({ id }) => id) }
  })
