import type { FrameTheme } from './messages.ts'

/**
 * Finds out whether the embedding page is light or dark: behind `element` for an inline frame, else the page as a whole. The
 * attribute `data-theme` comes first, then the nearest background colour, then the page's `color-scheme`. Source: rule W20.
 */
export function detectHostTheme(element: HTMLElement, isInline: boolean): FrameTheme {
  const { theme } = element.dataset
  if (theme === 'light' || theme === 'dark') return theme
  let behind = isInline ? element.parentElement : document.body
  for (; behind; behind = behind.parentElement) {
    const isLight = isLightColor(getComputedStyle(behind).backgroundColor)
    if (isLight !== null) return isLight ? 'light' : 'dark'
  }
  const scheme = getComputedStyle(element).colorScheme
  const isDark = scheme.includes('dark') && (!scheme.includes('light') || matchMedia(DARK_SYSTEM).matches)
  return isDark ? 'dark' : 'light'
}

/** Calls `look` when the theme of the page may have changed. */
export function onHostThemeChange(look: () => void): void {
  const observer = new MutationObserver(look)
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributes: true })
  matchMedia(DARK_SYSTEM).addEventListener('change', look)
  // During a colour transition only the final colour counts.
  addEventListener('transitionend', look)
}

const DARK_SYSTEM = '(prefers-color-scheme: dark)'

/** True if black text is easier to read on a computed colour than white text. Null for a mostly transparent colour. */
export function isLightColor(color: string): boolean | null {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
  if (!color.startsWith('rgb') || alpha < 0.5) return null
  const luminance = 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2
  // Black and white text have equal contrast at this luminance. Source: WCAG 2.2, "relative luminance", with 2.2 for the
  // exponent.
  return luminance > 0.179 * 255 ** 2.2
}
