import { useLetterKeys } from "../../keys/letter-keys.ts"
import { DENSITIES, THEMES, useDensity, useTheme } from "../../shell/appearance.ts"
import { currentLanguage, keepLanguage, LANGUAGES, type Language } from "../../words/language.ts"
import { useWords } from "../../words/words.ts"
import { OneOf } from "./one-of.tsx"

/** How the console looks in this browser: its language, its theme, and the height of its rows. */
export function AppearanceForm() {
  const words = useWords("account")
  const shell = useWords("shell")
  const keys = useWords("keys")
  const [areLettersOn, turnLetters] = useLetterKeys()
  const [theme, chooseTheme] = useTheme()
  const [density, chooseDensity] = useDensity()
  const themes = { device: shell.likeDevice, light: shell.light, dark: shell.dark }
  const densities = { roomy: shell.roomy, compact: shell.compact }
  return (
    <div className="stack">
      <OneOf
        label={words.language}
        choices={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, lang: value }))}
        value={currentLanguage()}
        // The cast is safe: the choices are the keys of LANGUAGES.
        onChange={(language) => changeLanguage(language as Language)}
      />
      <OneOf
        label={shell.theme}
        choices={THEMES.map((value) => ({ value, label: themes[value] }))}
        value={theme}
        onChange={chooseTheme}
      />
      <OneOf
        label={shell.density}
        choices={DENSITIES.map((value) => ({ value, label: densities[value] }))}
        value={density}
        onChange={chooseDensity}
      />
      <OneOf
        label={keys.letters}
        choices={[
          { value: "on", label: keys.on },
          { value: "off", label: keys.off },
        ]}
        value={areLettersOn ? "on" : "off"}
        onChange={(value) => turnLetters(value === "on")}
      />
    </div>
  )
}

function changeLanguage(language: Language): void {
  keepLanguage(language)
  location.reload()
}
