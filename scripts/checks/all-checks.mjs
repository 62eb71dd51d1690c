import { checkApiReports } from "./api/reports.mjs"
import { checkClientSize } from "./client-size.mjs"
import { checkComments } from "./comments.mjs"
import { checkConsoleSize } from "./console-size.mjs"
import { checkCost } from "./cost.mjs"
import { checkCycles } from "./cycles.mjs"
import { checkDocs } from "./docs/docs.mjs"
import { checkWalks } from "./docs/walks.mjs"
import { checkExports } from "./exports.mjs"
import { checkFormat } from "./format.mjs"
import { checkLayers } from "./layers.mjs"
import { checkSizes } from "./sizes.mjs"
import { checkSmallFiles } from "./small-files.mjs"
import { checkStations } from "./stations.mjs"
import { checkTypes } from "./type-check.mjs"
import { checkUnusedExports } from "./unused-exports.mjs"
import { checkWaits } from "./waits.mjs"
import { checkWords } from "./words.mjs"

/**
 * Every check by name, in the order they start. A check takes the root of the workspace and returns its problems, in words.
 *
 * @type {Record<string, (root: string) => Promise<string[]>>}
 */
export const CHECKS = {
  // It takes longest, so that the others run beside it.
  types: checkTypes,
  format: checkFormat,
  layers: checkLayers,
  stations: checkStations,
  cycles: checkCycles,
  sizes: checkSizes,
  "small-files": checkSmallFiles,
  comments: checkComments,
  exports: checkExports,
  "unused-exports": checkUnusedExports,
  "api-reports": checkApiReports,
  "client-size": checkClientSize,
  "console-size": checkConsoleSize,
  docs: checkDocs,
  walks: checkWalks,
  waits: checkWaits,
  words: checkWords,
  cost: checkCost,
}
