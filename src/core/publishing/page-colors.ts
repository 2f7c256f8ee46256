import { contrastRatio, textColorOn, toAccent, toPressedColor, toVisibleColor } from './accent.ts'

/**
 * The surface of each theme with the least contrast for a colour on it: `sunken` by day, `surface` by night
 * (ui/theme.css).
 */
const HARDEST_LIGHT = '#f2ecdf'
const HARDEST_DARK = '#162033'

/** The fill of a chosen box or circle, on which its mark is drawn: `chosen` of ui/theme.css. */
const CHOSEN_LIGHT = '#1a2436'
const CHOSEN_DARK = '#3a4a68'

/** Custom properties of CSS by their names, for an element and everything in it. */
export type PageColors = Readonly<Record<string, string>>

/** A calendar's own colour: readable by day and by night, with the text on it. Source: rule K1. */
export function calendarColors(color: string): PageColors {
  const light = toAccent(color, HARDEST_LIGHT)
  const dark = toAccent(color, HARDEST_DARK)
  return {
    '--accent': lightDark(light.color, dark.color),
    '--on-accent': lightDark(light.onColor, dark.onColor),
  }
}

/**
 * The colours of a brand. The primary colour is on buttons, on the chosen day and time, on links and around what has the
 * focus; the secondary one is on the sign of the professional and on free days. A fill keeps the chosen colour, and the
 * text on it follows. Links and lines stand on the page, so they are corrected until they can be read. An edge in the corrected
 * colour shows a fill that has the colour of the page. Source: rules K1 and K2.
 */
export function brandColors({ primary, secondary }: { primary: string; secondary: string }): PageColors {
  const text = textColorsOf(primary)
  const onPage = lightDark(text.light, text.dark)
  return {
    '--accent': secondary,
    '--on-accent': textColorOn(secondary),
    '--noon': primary,
    '--noon-strong': toPressedColor(primary),
    '--noon-ink': onPage,
    '--noon-edge': onPage,
    '--mark': lightDark(toVisibleColor(primary, CHOSEN_LIGHT), toVisibleColor(primary, CHOSEN_DARK)),
    '--on-noon': textColorOn(primary),
    '--picked': primary,
    '--picked-edge': onPage,
    '--on-picked': textColorOn(primary),
    '--brand-edge': onPage,
    '--link': onPage,
    '--focus': onPage,
  }
}

/** What becomes of a chosen colour, for the person who chooses it. */
export type ColorCheck = {
  /** The text on it, and how well it can be read there (WCAG 2.2: 1 to 21). */
  readonly onColor: string
  readonly contrastOnColor: number
  /** The colour of links by day and by night, and whether it is the chosen one. */
  readonly light: string
  readonly dark: string
  readonly isCorrected: boolean
}

/** Says how a colour will be used. Source: rule K2. */
export function checkColor(color: string): ColorCheck {
  const chosen = color.toLowerCase()
  const onColor = textColorOn(chosen)
  const { light, dark } = textColorsOf(chosen)
  return {
    onColor,
    contrastOnColor: contrastRatio(onColor, chosen),
    light,
    dark,
    isCorrected: light !== chosen || dark !== chosen,
  }
}

/** A colour as that of links and lines: it can be read on every surface of the theme. Source: rule K2. */
export function textColorsOf(color: string): { readonly light: string; readonly dark: string } {
  return { light: toAccent(color, HARDEST_LIGHT).color, dark: toAccent(color, HARDEST_DARK).color }
}

function lightDark(light: string, dark: string): string {
  return `light-dark(${light}, ${dark})`
}
