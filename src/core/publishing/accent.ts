/**
 * The calendar's colour, made readable. Owners choose any colour. As text or a line it must reach WCAG's contrast, so
 * it is mixed towards black or white until it does, and the text on it is chosen by contrast.
 */

/** Contrast for text, and more than enough for lines (WCAG 2.2 §1.4.3). */
const MIN_CONTRAST = 4.5

/** A coloured shape that carries meaning stands out from what is beside it (WCAG 2.2 §1.4.11). */
const MIN_SHAPE_CONTRAST = 3

/** How far a button changes below the pointer. */
const PRESSED_SHARE = 0.14

type Rgb = readonly [number, number, number]
const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

export type Accent = {
  /** Reaches 4.5 to 1 on the surface. `#rrggbb`. */
  readonly color: string
  /** Reaches 4.5 to 1 on `color`: black or white. */
  readonly onColor: string
}

/** Makes a colour readable on a surface and changes it as little as possible. Colours are `#rrggbb`. */
export function toAccent(color: string, surface: string): Accent {
  const readable = standOut(parseHex(color), parseHex(surface), MIN_CONTRAST)
  return { color: toHex(readable), onColor: toHex(textOn(readable)) }
}

/** Makes a colour visible as a shape on a surface and changes it as little as possible. Colours are `#rrggbb`. */
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

/** The text that can be read on a colour as it is: white where that reaches 4.5 to 1, else black. Source: rule K2. */
export function textColorOn(color: string): string {
  return toHex(textOn(parseHex(color)))
}

/** The colour of a button below the pointer: a little further from its text, so that the text stays readable. */
export function toPressedColor(color: string): string {
  const chosen = parseHex(color)
  return toHex(mix(chosen, textOn(chosen) === WHITE ? BLACK : WHITE, PRESSED_SHARE))
}

function textOn(color: Rgb): Rgb {
  return contrast(WHITE, color) >= MIN_CONTRAST ? WHITE : BLACK
}

/** Contrast of two `#rrggbb` colours, 1 to 21. Source: WCAG 2.2, "contrast ratio". */
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
