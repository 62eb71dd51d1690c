import { encodePng, type Rgb } from "./_encode-png.ts"

const WIDTH = 960
const HEIGHT = 600
const RIDGES = 5

/** The colours of a landscape: the sky from above to below, its sun, and its ridges from the farthest to the nearest. */
const PALETTES = {
  dawn: { sky: ["#2b3a67", "#f2a391"], sun: "#ffe3c2", ridges: ["#b57a86", "#232846"] },
  snow: { sky: ["#9fb8cf", "#eef3f6"], sun: "#fffdf4", ridges: ["#d3dfe8", "#5d7a94"] },
  harbour: { sky: ["#1d4e63", "#f0c27b"], sun: "#fff1cf", ridges: ["#a98a6f", "#12303d"] },
  night: { sky: ["#0b1026", "#3b3a6b"], sun: "#f3efd8", ridges: ["#34335f", "#0a0c1c"] },
  dusk: { sky: ["#4a3f6b", "#e8a0a8"], sun: "#ffd9d0", ridges: ["#9a6c8c", "#2c2340"] },
  paper: { sky: ["#d9c7a5", "#f6ecd9"], sun: "#fffaf0", ridges: ["#cdb48c", "#7d6240"] },
  ember: { sky: ["#5b1f2b", "#f08a4b"], sun: "#ffe0b0", ridges: ["#a8473a", "#2a1016"] },
  river: { sky: ["#5fa3a8", "#f4e8c1"], sun: "#fffbe6", ridges: ["#8fb89a", "#173b35"] },
  weir: { sky: ["#7f93a8", "#f3d9b8"], sun: "#fff4dd", ridges: ["#b9a79b", "#2f2a33"] },
  lake: { sky: ["#3f7cac", "#dceaf2"], sun: "#ffffff", ridges: ["#7fa9bf", "#173a52"] },
} as const

export type Palette = keyof typeof PALETTES

/** Paints a landscape with ridges and a sun, as the bytes of a PNG. The same name always gives the same picture. */
export function paintCover(palette: Palette): Uint8Array<ArrayBuffer> {
  const { sky, sun, ridges } = PALETTES[palette]
  const [above, below, light, far, near] = [sky[0], sky[1], sun, ridges[0], ridges[1]].map(parseColor)
  if (!above || !below || !light || !far || !near) throw new Error(`The palette "${palette}" is incomplete.`)
  const phase = [...palette].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  const colorOfSky = skyPainter({ above, below, light, phase })
  const land = Array.from({ length: RIDGES }, (_, index) => ({
    color: mix(far, near, index / (RIDGES - 1)),
    heights: Float64Array.from({ length: WIDTH }, (_, x) => ridgeHeight(x, index, phase)),
  }))
  // The nearest ridge that covers the pixel decides; how much of the pixel it covers makes its edge smooth.
  const colorAt = (x: number, y: number, index = RIDGES - 1): Rgb => {
    const ridge = land[index]
    if (ridge === undefined) return colorOfSky(x, y)
    const covered = y - (ridge.heights[x] ?? 0)
    return covered >= 1 ? ridge.color : mix(colorAt(x, y, index - 1), ridge.color, covered)
  }
  return encodePng({ width: WIDTH, height: HEIGHT }, colorAt)
}

interface Sky {
  readonly above: Rgb
  readonly below: Rgb
  readonly light: Rgb
  readonly phase: number
}

function skyPainter({ above, below, light, phase }: Sky): (x: number, y: number) => Rgb {
  const [sunX, sunY, radius] = [WIDTH * (0.25 + (phase % 7) / 14), HEIGHT * (0.24 + (phase % 5) / 40), 45]
  return (x, y) => {
    const distance = Math.hypot(x - sunX, y - sunY)
    const air = mix(above, below, y / (HEIGHT * 0.75))
    const glow = mix(air, light, 0.5 * Math.max(0, 1 - distance / 340) ** 2)
    return mix(glow, light, radius - distance)
  }
}

/** The height of a ridge at `x`: three waves that no other ridge has. */
function ridgeHeight(x: number, index: number, phase: number): number {
  const base = HEIGHT * (0.46 + index * 0.115)
  const shift = phase + index * 2.4
  const steepness = 50 - index * 6
  const hills = Math.sin(x / (168 + index * 27) + shift) + 0.45 * Math.sin(x / 66 + shift * 1.7)
  return base + steepness * (hills + 0.14 * Math.sin(x / 22 + shift * 2.3))
}

function parseColor(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = Math.min(1, Math.max(0, share))
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, from[2] + (to[2] - from[2]) * part]
}
