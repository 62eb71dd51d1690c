/** An accent in both themes: the author's hue, as light or dark as its text needs to be read on the sheet. */
interface Accent {
  readonly light: string
  readonly dark: string
}

type Rgb = readonly [red: number, green: number, blue: number]

// The sheets of both themes: `--sheet` in styles/tokens.css.
const LIGHT_SHEET = "#fffefb"
const DARK_SHEET = "#191816"
// WCAG 2.2 AA for text.
const LEAST_CONTRAST = 4.5
const STEP = 0.01

/** Returns the accent for a color that the author has set, written as `#rrggbb` or `#rgb`. */
export function accentOf(color: string): Accent {
  return { light: readableOn(LIGHT_SHEET, color, -STEP), dark: readableOn(DARK_SHEET, color, STEP) }
}

/** Puts the accent in the place of the blue of the page. */
export function showAccent(color: string, { style }: HTMLElement): void {
  const { light, dark } = accentOf(color)
  style.setProperty("--pencil", `light-dark(${light}, ${dark})`)
  style.setProperty("--pencil-soft", "color-mix(in oklab, var(--pencil) 14%, var(--sheet))")
}

/** Returns the contrast of two colors as WCAG defines it, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(linearRgb(one)), luminanceOf(linearRgb(other))].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Changes the lightness in OKLCH, step by step, until the color can be read. Hue and chroma stay as they are. */
function readableOn(sheet: string, color: string, step: number): string {
  const [lightness, a, b] = oklabOf(linearRgb(color))
  for (let tried = lightness; tried >= 0 && tried <= 1; tried += step) {
    const candidate = hexOf(rgbOfOklab([tried, a, b]))
    if (contrastOf(candidate, sheet) >= LEAST_CONTRAST) return candidate
  }
  return step < 0 ? "#000000" : "#ffffff"
}

function linearRgb(color: string): Rgb {
  const digits = color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(digits.slice(at, at + 2), 16) / 255))
  return [red ?? 0, green ?? 0, blue ?? 0]
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function encoded(channel: number): number {
  const inRange = Math.min(1, Math.max(0, channel))
  return inRange <= 0.0031308 ? inRange * 12.92 : 1.055 * inRange ** (1 / 2.4) - 0.055
}

function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

// The matrices of the OKLab color space.
function oklabOf([red, green, blue]: Rgb): Rgb {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

function rgbOfOklab([lightness, a, b]: Rgb): Rgb {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function hexOf(color: Rgb): string {
  const digits = color.map((channel) =>
    Math.round(encoded(channel) * 255)
      .toString(16)
      .padStart(2, "0"),
  )
  return `#${digits.join("")}`
}
