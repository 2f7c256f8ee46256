import type { FrameTheme } from './messages.ts'

/**
 * Whether the page is light or dark: behind `element` for a frame in the page, and as a whole for a window over it. The owner's choice
 * (`data-theme`) counts first, then the nearest background colour, then the scheme that the page asks the browser for. Source: rule W20.
 */
export function findTheme(element: HTMLElement, isInline: boolean): FrameTheme {
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

/** Calls back when the look of the page may have changed. */
export function followLook(look: () => void): void {
  const observer = new MutationObserver(look)
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributes: true })
  matchMedia(DARK_SYSTEM).addEventListener('change', look)
  // While a colour changes slowly, only the last one counts.
  addEventListener('transitionend', look)
}

const DARK_SYSTEM = '(prefers-color-scheme: dark)'

/** Whether black text is easier to read on a computed colour than white. Null for a colour that is mostly transparent. */
export function isLightColor(color: string): boolean | null {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
  if (!color.startsWith('rgb') || alpha < 0.5) return null
  const luminance = 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2
  // Where the two contrasts are equal. Source: WCAG 2.2, "relative luminance", with 2.2 for the exponent.
  return luminance > 0.179 * 255 ** 2.2
}
