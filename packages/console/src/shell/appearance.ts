import { whenFirstScreenIsShown } from "../kit/first-screen.ts"
import { KeptValue, useKept } from "../kit/kept-value.ts"

/** The themes among which a person chooses. */
export const THEMES = ["device", "light", "dark"] as const
type Theme = (typeof THEMES)[number]

/** The heights of rows among which a person chooses. */
export const DENSITIES = ["roomy", "compact"] as const
type Density = (typeof DENSITIES)[number]

const theme = new KeptValue<Theme>("theme", {
  fallback: "device",
  parse: (kept) => THEMES.find((each) => each === kept),
})

const density = new KeptValue<Density>("density", {
  fallback: "roomy",
  parse: (kept) => DENSITIES.find((each) => each === kept),
})

const hasFont = new KeptValue<boolean>("has-font", {
  fallback: false,
  parse: (kept) => kept === true,
})

/** Returns the theme that was chosen in this browser, and a function that chooses another one. */
export function useTheme(): [theme: Theme, choose: (theme: Theme) => void] {
  return useKept(theme)
}

/** Returns the height of rows that was chosen in this browser, and a function that chooses another one. */
export function useDensity(): [density: Density, choose: (density: Density) => void] {
  return useKept(density)
}

/** Shows the kept theme and density, now and whenever another one is chosen. Called once, before the first render. */
export function showAppearance(): void {
  const show = () => {
    const { dataset } = document.documentElement
    if (theme.read() === "device") delete dataset["theme"]
    else dataset["theme"] = theme.read()
    dataset["density"] = density.read()
  }
  theme.subscribe(show)
  density.subscribe(show)
  show()
}

/**
 * Shows the font of the console. It is loaded after the first screen; a browser that has loaded it before has it in its
 * cache, and shows it from the first letter on.
 */
export async function showFont(): Promise<void> {
  if (!hasFont.read()) await whenFirstScreenIsShown()
  document.documentElement.dataset["sans"] = "geist"
  hasFont.keep(true)
}
