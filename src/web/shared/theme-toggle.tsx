import { Monitor } from '#web/ui/icons/monitor.ts'
import { Moon } from '#web/ui/icons/moon.ts'
import { Sun } from '#web/ui/icons/sun.ts'
import { setThemePreference, type ThemePreference, useThemePreference } from './theme.ts'

const THEMES = {
  light: { icon: Sun, name: 'light', next: 'dark' },
  dark: { icon: Moon, name: 'dark', next: 'system' },
  system: { icon: Monitor, name: 'system', next: 'light' },
} as const satisfies Record<ThemePreference, { icon: unknown; name: string; next: ThemePreference }>

/** Goes from light to dark to the system's setting and back to light. */
export function ThemeToggle() {
  const { icon: Icon, name, next } = THEMES[useThemePreference()]
  return (
    <button
      type="button"
      aria-label={`Theme: ${name}. Switch to ${next}.`}
      title={`Theme: ${name}`}
      onClick={() => setThemePreference(next)}
      className="grid size-11 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}
