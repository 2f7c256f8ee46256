/** The product's colours by day and by night, the same as on its screens. Mail clients know no CSS variables. */
export const DAY = {
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

export const NIGHT = {
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

/** Text on the sun's colour, by day and by night. */
export const ON_NOON = '#1a2436'

/** WCAG 2.2 §1.4.11: a coloured shape that carries meaning stands out 3 to 1 from what is beside it. */
const SHAPE_CONTRAST = 3

type Rgb = readonly [red: number, green: number, blue: number]

/**
 * The colour that an owner chose, moved towards black or white only as far as needed to be visible on `background`.
 * Colours are `#rrggbb`.
 */
export function visibleOn(color: string, background: string): string {
  const target: Rgb = luminance(toRgb(background)) > 0.5 ? [0, 0, 0] : [255, 255, 255]
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(toRgb(color), target, share)
    if (contrast(mixed, toRgb(background)) >= SHAPE_CONTRAST) return toHex(mixed)
  }
  return toHex(target)
}

/** Contrast of two colours by WCAG 2.2: 1 (none) to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(toRgb(one), toRgb(other))
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [channel(0), channel(1), channel(2)]
}

function toRgb(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function toHex(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
