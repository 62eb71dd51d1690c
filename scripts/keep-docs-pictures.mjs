import { copyFile } from "node:fs/promises"

// The pictures of the console in README and docs are those that its tests take: `npm run pictures` ends with this.
const TAKEN = new URL("../test/console/pictures/newsroom/", import.meta.url)
const KEPT = new URL("../docs/images/", import.meta.url)
const PICTURES = {
  "articles-desk-light.png": "console-list.png",
  "article-desk-light.png": "console-record.png",
  "page-desk-dark.png": "console-blocks-dark.png",
}

for (const [taken, kept] of Object.entries(PICTURES)) await copyFile(new URL(taken, TAKEN), new URL(kept, KEPT))
