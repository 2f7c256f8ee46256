/** The product's light and dark colors, as on its screens. Mail clients do not support CSS variables. */
export const DAY_COLORS = {
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

export const NIGHT_COLORS = {
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

/** The color of text on the sun's color, in light and dark mode. */
export const TEXT_ON_NOON = '#1a2436'
