/**
 * Makes the calendar's colour readable. Owners can choose any colour. Text and lines must reach the WCAG contrast, so
 * the colour is mixed with black or white until it does; text on the colour is black or white, whichever contrasts.
 */

/** Required contrast for text; more than enough for lines (WCAG 2.2 §1.4.3). */
const MIN_CONTRAST = 4.5

/** Required contrast for shapes that carry meaning (WCAG 2.2 §1.4.11). */
const MIN_SHAPE_CONTRAST = 3

/** How much a button's colour changes on hover. */
const HOVER_SHARE = 0.14

type Rgb = readonly [number, number, number]
const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

export type AccentColors = {
  /** `#rrggbb` with a contrast of at least 4.5 to 1 on the surface. */
  readonly color: string
  /** Black or white, with a contrast of at least 4.5 to 1 on `color`. */
  readonly onColor: string
}

/** Adjusts a colour as little as possible until text in it is readable on a surface. Colours are `#rrggbb`. */
export function toAccentColors(color: string, surface: string): AccentColors {
  const readable = standOut(parseHex(color), parseHex(surface), MIN_CONTRAST)
  return { color: toHex(readable), onColor: toHex(textOn(readable)) }
}

/** Adjusts a colour as little as possible until a shape in it is visible on a surface. Colours are `#rrggbb`. */
export function toVisibleColor(color: string, surface: string): string {
  return toHex(standOut(parseHex(color), parseHex(surface), MIN_SHAPE_CONTRAST))
}

function standOut(chosen: Rgb, behind: Rgb, minContrast: number): Rgb {
  const goal = contrast(BLACK, behind) > contrast(WHITE, behind) ? BLACK : WHITE
  let mixed = chosen
  for (let share = 0; share <= 100 && contrast(mixed, behind) < minContrast; share += 5) {
    mixed = mix(chosen, goal, share / 100)
  }
  return mixed
}

/**
 * Returns the text colour for an unchanged background: white if it reaches 4.5 to 1, otherwise black. Source: rule K2.
 */
export function textColorOn(color: string): string {
  return toHex(textOn(parseHex(color)))
}

/** Returns a button's hover colour: slightly further from its text colour, so that the text stays readable. */
export function toHoverColor(color: string): string {
  const chosen = parseHex(color)
  return toHex(mix(chosen, textOn(chosen) === WHITE ? BLACK : WHITE, HOVER_SHARE))
}

function textOn(color: Rgb): Rgb {
  return contrast(WHITE, color) >= MIN_CONTRAST ? WHITE : BLACK
}

/** Contrast ratio of two `#rrggbb` colours, from 1 to 21. Source: WCAG 2.2, "contrast ratio". */
export function contrastRatio(a: string, b: string): number {
  return contrast(parseHex(a), parseHex(b))
}

function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [channel(0), channel(1), channel(2)]
}

function parseHex(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16) || 0
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
