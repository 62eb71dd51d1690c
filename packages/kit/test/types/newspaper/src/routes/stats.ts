import { route } from "kit"

export default route()
  .get()
  .handler(() => ({ articles: 3n, since: new Date() }))
