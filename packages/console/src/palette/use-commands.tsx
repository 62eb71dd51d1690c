import type { ResourceSummary } from "kit/client"
import {
  Keyboard,
  Languages,
  LogOut,
  Moon,
  Plus,
  Rows3,
  Search,
  Sun,
  SunMoon,
  UserRound,
  UsersRound,
} from "lucide-react"
import { useLocation } from "wouter"
import { openLayer } from "../keys/layers.ts"
import { useAppIndex } from "../kit/descriptions.ts"
import { useFindSchema } from "../kit/schemas.ts"
import { Icon } from "../parts/icon.tsx"
import { listPath, newRecordPath } from "../routes.ts"
import { listQuery, PLAIN_LIST } from "../screens/list/list-state.ts"
import { DENSITIES, THEMES, useDensity, useTheme } from "../shell/appearance.ts"
import { isAt } from "../shell/places.ts"
import { IconOf } from "../shell/sidebar.tsx"
import { usePlaces } from "../shell/use-places.ts"
import { useSignOutHere } from "../shell/use-sign-out-here.ts"
import { currentLanguage, keepLanguage, LANGUAGES, type Language } from "../words/language.ts"
import { useWords } from "../words/words.ts"
import type { Command } from "./command.ts"
import { matchesWords } from "./matching.ts"

/** The places of the console besides the one that is open: its lists and globals, people, the account. */
export function usePlaceCommands(): readonly Command[] {
  const [location] = useLocation()
  const others = usePlaces().filter(({ path }) => path !== location)
  return others.map(({ path, label, name, resource }) => ({
    id: `place ${path}`,
    label,
    path,
    icon: resource ? <IconOf place={resource} /> : <Icon of={name === "people" ? UsersRound : UserRound} />,
  }))
}

// Each collection is a request the first time.
const MAX_DESCRIBED = 3

/** The views that the author has declared, of the collection that is open and of those whose name was typed. */
export function useViewCommands(words: readonly string[]): readonly Command[] {
  const { view } = useWords("palette")
  const [location] = useLocation()
  const { resources } = useAppIndex()
  const findSchema = useFindSchema()
  const collections = resources.filter(({ kind }) => kind === "collection")
  const open = collections.filter((place) => isAt(place, location))
  const named =
    words.length === 0 ? [] : collections.filter(({ label }) => words.some((word) => matchesWords(label, [word])))
  return [...new Set([...open, ...named])].slice(0, MAX_DESCRIBED).flatMap((place) => {
    const views = findSchema(place.name)?.list.views ?? []
    return views.map(({ label }, number) => ({
      id: `view ${place.name} ${number}`,
      label: `${place.label}: ${label}`,
      hint: view,
      path: `${listPath(place.name)}${listQuery({ ...PLAIN_LIST, view: number })}`,
      icon: <IconOf place={place} />,
    }))
  })
}

/** The actions that a person can take from everywhere. */
export function useActionCommands(): readonly Command[] {
  const words = useWords("palette")
  const { signOut: label } = useWords("shell")
  const signOut = useSignOutHere()
  return [
    ...useCreateCommands(),
    ...useThemeCommands(),
    ...useDensityCommands(),
    ...otherLanguages().map(([language, name]) => ({
      id: `language ${language}`,
      label: words.language(name),
      icon: <Icon of={Languages} />,
      run: () => {
        keepLanguage(language)
        location.reload()
      },
    })),
    { id: "keys", label: words.keys, icon: <Icon of={Keyboard} />, run: () => openLayer("keys") },
    { id: "sign out", label, icon: <Icon of={LogOut} />, run: () => void signOut() },
  ]
}

function useCreateCommands(): readonly Command[] {
  const { create } = useWords("list")
  const [location] = useLocation()
  const makeable = useAppIndex().resources.filter(mayCreate)
  // First what can be made where the person is.
  const sorted = [
    ...makeable.filter((place) => isAt(place, location)),
    ...makeable.filter((place) => !isAt(place, location)),
  ]
  return sorted.map(({ name, label, singularLabel }) => ({
    id: `create ${name}`,
    label: singularLabel === label ? `${create(singularLabel, label)}: ${label}` : create(singularLabel, label),
    path: newRecordPath(name),
    icon: <Icon of={Plus} />,
  }))
}

function mayCreate({ kind, access }: ResourceSummary): boolean {
  return kind === "collection" && (access.upload ?? access.create ?? false) !== false
}

function useThemeCommands(): readonly Command[] {
  const { themes } = useWords("palette")
  const [theme, choose] = useTheme()
  const icons = { device: SunMoon, light: Sun, dark: Moon }
  return THEMES.filter((each) => each !== theme).map((each) => ({
    id: `theme ${each}`,
    label: themes[each],
    icon: <Icon of={icons[each]} />,
    run: () => choose(each),
  }))
}

function useDensityCommands(): readonly Command[] {
  const { densities } = useWords("palette")
  const [density, choose] = useDensity()
  return DENSITIES.filter((each) => each !== density).map((each) => ({
    id: `density ${each}`,
    label: densities[each],
    icon: <Icon of={Rows3} />,
    run: () => choose(each),
  }))
}

function otherLanguages(): readonly (readonly [Language, string])[] {
  // The cast is safe: these are the keys and values of LANGUAGES.
  const all = Object.entries(LANGUAGES) as readonly (readonly [Language, string])[]
  return all.filter(([language]) => language !== currentLanguage())
}

/** Searching the texts of the collection that is open for what was typed. */
export function useTextCommands(typed: string): readonly Command[] {
  const { searchIn } = useWords("palette")
  const [location] = useLocation()
  const text = typed.trim()
  const open = useAppIndex().resources.find((place) => isList(place) && isAt(place, location))
  if (open === undefined || text === "") return []
  return [
    {
      id: "search texts",
      isForAnyText: true,
      label: searchIn(open.label, text),
      path: `${listPath(open.name)}${listQuery({ ...PLAIN_LIST, search: text })}`,
      icon: <Icon of={Search} />,
    },
  ]
}

// A list without a title may have no text that can be searched.
function isList({ kind, title }: ResourceSummary): boolean {
  return kind === "collection" && title !== null
}
