import { Monitor } from '#web/ui/icons/monitor.ts'
import { Moon } from '#web/ui/icons/moon.ts'
import { Sun } from '#web/ui/icons/sun.ts'
import { setThemePreference, type ThemePreference, useIsSystemDark, useThemePreference } from './theme.ts'

const ICONS = { light: Sun, dark: Moon, system: Monitor } as const

/**
 * Lets the user cycle through the themes. The first press switches to the theme that differs from the system's, so that its
 * effect is visible. Then come the other theme and the system setting. Source: rule W12.
 */
export function ThemeToggle() {
  const name = useThemePreference()
  const next = themeAfter(name, useIsSystemDark())
  const Icon = ICONS[name]
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

function themeAfter(now: ThemePreference, isSystemDark: boolean): ThemePreference {
  const [other, same] = isSystemDark ? (['light', 'dark'] as const) : (['dark', 'light'] as const)
  if (now === 'system') return other
  return now === other ? same : 'system'
}
