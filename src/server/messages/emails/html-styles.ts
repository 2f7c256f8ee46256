import type { CSSProperties } from 'react'
import { textColorOn, toVisibleColor } from '#core/calendars/accent-color.ts'
import { textColorsOf } from '#core/calendars/page-colors.ts'
import type { MailDocument } from './mail-document.ts'

/**
 * The product's light and dark colours, as on its screens. They are listed here because mail clients do not support CSS
 * variables.
 */
export const LIGHT_MODE_COLORS = {
  paper: '#faf6ee',
  surface: '#fffdf9',
  sunken: '#f2ecdf',
  line: '#e4dccb',
  ink: '#1a2436',
  inkSoft: '#4a5468',
  link: '#1f4f8f',
  noon: '#f4b12f',
  night: '#d3cab7',
  dawn: '#f3c9bb',
  noonday: '#f8dc8f',
  dusk: '#c3c3e6',
} as const

export const DARK_MODE_COLORS = {
  paper: '#0e1524',
  surface: '#162033',
  sunken: '#0a101c',
  line: '#27344c',
  ink: '#f3ede0',
  inkSoft: '#b9c0ce',
  link: '#9cc3f5',
  noon: '#f6bb4b',
  night: '#33425e',
  dawn: '#6f4a4f',
  noonday: '#7d6430',
  dusk: '#474a80',
} as const

/** The colour of text on the sun's colour, in light and dark mode. */
export const TEXT_COLOR_ON_SUN = '#1a2436'

type Palette = { readonly [Name in keyof typeof LIGHT_MODE_COLORS]: string }

/**
 * The parts of an email that have their own colours. Sizes and spacing are inline, because they do not change in dark
 * mode.
 */
export type MailColorRole =
  | 'paper'
  | 'surface'
  | 'sunken'
  | 'ink'
  | 'soft'
  | 'accent'
  | 'sun'
  | 'button'
  | 'link'
  | 'quote'
  | 'choice'
  | 'night'
  | 'dawn'
  | 'noonday'
  | 'dusk'

type Colors = Pick<MailDocument, 'color' | 'brand'>

/**
 * Returns the colours of all parts. A brand's primary colour is used for buttons and links, as on the pages; for text,
 * it is adjusted for contrast. Source: rules K2 and K10.
 */
function looksOf(time: 'light' | 'dark', { color, brand }: Colors): Record<MailColorRole, CSSProperties> {
  const palette: Palette = time === 'light' ? LIGHT_MODE_COLORS : DARK_MODE_COLORS
  const own = brand?.color ?? null
  const stripe = own ?? color
  const onPage = own === null ? palette.link : textColorsOf(own)[time]
  const button =
    own !== null
      ? { backgroundColor: own, borderColor: onPage, color: textColorOn(own) }
      : { backgroundColor: palette.noon, borderColor: palette.noon, color: TEXT_COLOR_ON_SUN }
  return {
    paper: { backgroundColor: palette.paper, color: palette.ink },
    surface: { backgroundColor: palette.surface, borderColor: palette.line, color: palette.ink },
    sunken: { backgroundColor: palette.sunken, color: palette.ink },
    ink: { color: palette.ink },
    soft: { color: palette.inkSoft },
    accent: { backgroundColor: stripe === null ? palette.noon : toVisibleColor(stripe, palette.paper) },
    sun: { backgroundColor: palette.noon },
    button,
    link: { color: onPage },
    choice: { borderColor: palette.line, color: onPage },
    quote: { borderColor: palette.line, color: palette.ink },
    night: { backgroundColor: palette.night },
    dawn: { backgroundColor: palette.dawn },
    noonday: { backgroundColor: palette.noonday },
    dusk: { backgroundColor: palette.dusk },
  }
}

/** Returns the class and the inline light-mode style of a part. The style sheet overrides the class in dark mode. */
export type MailStyler = (
  look: MailColorRole,
  style?: CSSProperties,
  extraClass?: string,
) => {
  className: string
  style: CSSProperties
}

/** Builds the styling function for one email. */
export function buildMailStyler(colors: Colors): MailStyler {
  const day = looksOf('light', colors)
  return (look, style = {}, extraClass = '') => ({
    className: `${look} ${extraClass}`.trim(),
    style: { ...day[look], ...style },
  })
}

/** Builds the style sheet of an email, for dark mode and narrow screens. The email is complete without it. */
export function buildStyleSheet(colors: Colors): string {
  const night = Object.entries(looksOf('dark', colors)).map(([look, style]) => `.${look}{${toCss(style)}}`)
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    `@media (prefers-color-scheme:dark){${night.join('')}}`,
    '@media (max-width:520px){',
    '.frame{padding:16px 10px!important}.inside{padding:24px 18px 10px!important}',
    '.fact{display:block!important;width:auto!important}.fact-label{padding-bottom:0!important}',
    '}',
  ].join('')
}

/** Converts styles to CSS. `!important` lets the style sheet override inline styles. */
function toCss(style: CSSProperties): string {
  return Object.entries(style)
    .map(
      ([name, value]) =>
        `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}!important`,
    )
    .join(';')
}
