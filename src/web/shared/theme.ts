import { useSyncExternalStore } from 'react'

export type ThemePreference = 'light' | 'dark' | 'system'

/** The localStorage key of the theme preference (rule W12). */
const THEME_KEY = 'ui-theme'
const DARK_SYSTEM = '(prefers-color-scheme: dark)'
const listeners = new Set<() => void>()

/** Returns the stored preference; `system` if there is none or storage is blocked. */
function readThemePreference(): ThemePreference {
  try {
    const stored = localStorage.getItem(THEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Stores the preference and applies it. */
export function setThemePreference(preference: ThemePreference): void {
  try {
    localStorage.setItem(THEME_KEY, preference)
  } catch {
    // Storage is blocked, so the preference applies to this page only.
  }
  applyTheme(preference)
  for (const listener of listeners) listener()
}

/** Applies a preference to the page. public/theme.js has the same logic. Source: rule W12. */
function applyTheme(preference: ThemePreference): void {
  const dark = preference === 'dark' || (preference === 'system' && matchMedia(DARK_SYSTEM).matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}

/** Returns the current preference. While a component uses this hook, the page follows changes by the system and by other tabs. */
export function useThemePreference(): ThemePreference {
  return useSyncExternalStore(subscribe, readThemePreference, () => 'system')
}

/** Returns true if the system theme is dark; false during server rendering. */
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
