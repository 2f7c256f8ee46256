import { contrastRatio, textColorOn, toAccentColors, toHoverColor, toVisibleColor } from './accent-color.ts'

/**
 * The surface of each theme on which colours have the least contrast: `sunken` in light mode, `surface` in dark mode
 * (ui/theme.css).
 */
const HARDEST_LIGHT = '#f2ecdf'
const HARDEST_DARK = '#162033'

/** Fill of a selected checkbox or radio button, behind its mark: `chosen` in ui/theme.css. */
const CHOSEN_LIGHT = '#1a2436'
const CHOSEN_DARK = '#3a4a68'

/** CSS custom properties by name, for an element and its descendants. */
export type PageColors = Readonly<Record<string, string>>

/** Theme colours for a calendar's own colour, readable in light and dark mode. Source: rule K1. */
export function calendarColors(color: string): PageColors {
  const light = toAccentColors(color, HARDEST_LIGHT)
  const dark = toAccentColors(color, HARDEST_DARK)
  return {
    '--accent': lightDark(light.color, dark.color),
    '--on-accent': lightDark(light.onColor, dark.onColor),
  }
}

/**
 * Theme colours for a brand. The primary colour is used for buttons, the selected day and time, links and focus rings;
 * the secondary colour for the professional's avatar and free days. Fills keep the chosen colour and get a readable
 * text colour. Links and lines are drawn on the page, so their colour is corrected until readable. A fill that matches
 * the page gets a border in the corrected colour. Source: rules K1 and K2.
 */
export function brandColors({ primary, secondary }: { primary: string; secondary: string }): PageColors {
  const text = textColorsOf(primary)
  const onPage = lightDark(text.light, text.dark)
  return {
    '--accent': secondary,
    '--on-accent': textColorOn(secondary),
    '--noon': primary,
    '--noon-strong': toHoverColor(primary),
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

/** Preview of how a chosen colour will be used. */
export type ColorCheck = {
  /** Text colour on the chosen colour, and its contrast (WCAG 2.2: 1 to 21). */
  readonly onColor: string
  readonly contrastOnColor: number
  /** Link colours in light and dark mode, and whether they differ from the chosen colour. */
  readonly light: string
  readonly dark: string
  readonly isCorrected: boolean
}

/** Returns how a chosen colour will be used. Source: rule K2. */
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

/** Returns the colour for links and lines, readable on every surface of each theme. Source: rule K2. */
export function textColorsOf(color: string): { readonly light: string; readonly dark: string } {
  return {
    light: toAccentColors(color, HARDEST_LIGHT).color,
    dark: toAccentColors(color, HARDEST_DARK).color,
  }
}

function lightDark(light: string, dark: string): string {
  return `light-dark(${light}, ${dark})`
}
