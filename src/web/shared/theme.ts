import { useSyncExternalStore } from 'react'

export type ThemePreference = 'light' | 'dark' | 'system'

/** Where the preference is kept (rule W12). */
const THEME_KEY = 'ui-theme'
const DARK_SYSTEM = '(prefers-color-scheme: dark)'
const listeners = new Set<() => void>()

/** What the person chose; `system` until they choose, or where storage is forbidden. */
function readThemePreference(): ThemePreference {
  try {
    const stored = localStorage.getItem(THEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Keeps the choice and shows it at once. */
export function setThemePreference(preference: ThemePreference): void {
  try {
    localStorage.setItem(THEME_KEY, preference)
  } catch {
    // Storage is forbidden: the choice holds for this page only.
  }
  applyTheme(preference)
  for (const listener of listeners) listener()
}

/** Sets the theme that `preference` means now. The rule is that of public/theme.js. Source: rule W12. */
function applyTheme(preference: ThemePreference): void {
  const dark = preference === 'dark' || (preference === 'system' && matchMedia(DARK_SYSTEM).matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}

/** The present preference; the page follows the system and other tabs while it is used. */
export function useThemePreference(): ThemePreference {
  return useSyncExternalStore(subscribe, readThemePreference, () => 'system')
}

/** Whether the system is dark, which a page that the server draws cannot know yet. */
export function useIsSystemDark(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(DARK_SYSTEM).matches,
    () => false,
  )
}

function subscribe(listener: () => void): () => void {
  const system = matchMedia(DARK_SYSTEM)
  const follow = () => {
    applyTheme(readThemePreference())
    listener()
  }
  listeners.add(listener)
  system.addEventListener('change', follow)
  addEventListener('storage', follow)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', follow)
    removeEventListener('storage', follow)
  }
}
