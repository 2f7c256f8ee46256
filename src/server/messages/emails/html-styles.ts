import type { CSSProperties } from 'react'
import { textColorOn, toVisibleColor } from '#core/publishing/accent.ts'
import { textColorsOf } from '#core/publishing/page-colors.ts'
import { DAY_COLORS, NIGHT_COLORS, TEXT_ON_NOON } from './mail-colors.ts'
import type { MailDocument } from './mail-document.ts'

type Palette = { readonly [Name in keyof typeof DAY_COLORS]: string }

/** The colours of a part of a message. Sizes and spaces do not change at night; they are on the elements. */
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
  | 'night'
  | 'dawn'
  | 'noonday'
  | 'dusk'

type Colors = Pick<MailDocument, 'color' | 'brand'>

/**
 * The colours of all parts. A brand's primary colour is on buttons and links, as on the pages; what is not fill is made readable.
 * Source: rules K2 and K10.
 */
function looksOf(time: 'light' | 'dark', { color, brand }: Colors): Record<MailColorRole, CSSProperties> {
  const palette: Palette = time === 'light' ? DAY_COLORS : NIGHT_COLORS
  const own = brand?.color ?? null
  const stripe = own ?? color
  const onPage = own === null ? palette.link : textColorsOf(own)[time]
  const button =
    own !== null
      ? { backgroundColor: own, borderColor: onPage, color: textColorOn(own) }
      : { backgroundColor: palette.noon, borderColor: palette.noon, color: TEXT_ON_NOON }
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
    quote: { borderColor: palette.line, color: palette.ink },
    night: { backgroundColor: palette.night },
    dawn: { backgroundColor: palette.dawn },
    noonday: { backgroundColor: palette.noonday },
    dusk: { backgroundColor: palette.dusk },
  }
}

/** The class and the daylight style of a part. The style sheet changes the class at night. */
export type MailStyler = (
  look: MailColorRole,
  style?: CSSProperties,
  extraClass?: string,
) => {
  className: string
  style: CSSProperties
}

/** Builds the styles of one message. */
export function buildMailStyler(colors: Colors): MailStyler {
  const day = looksOf('light', colors)
  return (look, style = {}, extraClass = '') => ({
    className: `${look} ${extraClass}`.trim(),
    style: { ...day[look], ...style },
  })
}

/** The style sheet of a message: night colours and narrow screens. Without it, a message is still complete. */
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

/** With `!important` a style sheet wins over the styles on the elements. */
function toCss(style: CSSProperties): string {
  return Object.entries(style)
    .map(
      ([name, value]) =>
        `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}!important`,
    )
    .join(';')
}
