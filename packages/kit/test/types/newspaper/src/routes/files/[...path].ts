import { route } from "kit"

export default route()
  .get()
  .raw()
  .handler(({ params }) => new Response(params["path"]))
