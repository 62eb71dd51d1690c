const FOLDER = new URL("../../scripts/checks/docs/", import.meta.url).href

interface Fence {
  readonly info: string
  readonly line: number
  readonly lines: readonly string[]
}

interface Block {
  readonly path: string
  readonly text: string
}

interface MarkdownModule {
  readPage(text: string): { readonly fences: readonly Fence[] }
}

interface BlocksModule {
  extractBlocks(page: string, text: string): { readonly blocks: readonly Block[] }
}

// The types of the checks are comments in JavaScript, which this program does not read. The annotations are true: the
// interfaces repeat those comments.
const markdown: MarkdownModule = await import(`${FOLDER}markdown.mjs`)
const blocks: BlocksModule = await import(`${FOLDER}doc-blocks.mjs`)

/** The functions with which `npm run check` reads the pages. */
export const readPage = markdown.readPage
export const extractBlocks = blocks.extractBlocks
