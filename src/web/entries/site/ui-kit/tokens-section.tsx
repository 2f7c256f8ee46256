import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { SunPathPicture } from '#web/ui/day-arc.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { UiKitSection } from './kit-section.tsx'

/** Shows the colours, the text sizes, and the picture on which the design is based. */
export function TokensSection() {
  return (
    <UiKitSection title="Tokens">
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
        {TOKENS.map((token) => (
          <li key={token} className="text-sm">
            <span
              className="block h-12 rounded-control border border-line"
              style={{ background: `var(--${token})` }}
            />
            {token}
          </li>
        ))}
      </ul>
      <div className="space-y-1">
        <p className="font-display text-5xl font-semibold">
          Noon, {formatClock('12:00', DEFAULT_HOUR_CYCLE)}
        </p>
        <p className="font-display text-4xl font-semibold">Tuesday, December 1</p>
        <p className="font-display text-3xl font-semibold">Available Times</p>
        <p className="font-display text-2xl font-semibold">Booking Confirmed!</p>
        <p className="font-display text-xl font-semibold">Appointment Types</p>
        <p className="text-lg">
          Large text, {formatClock('09:30', DEFAULT_HOUR_CYCLE)} to {formatClock('10:20', DEFAULT_HOUR_CYCLE)}
        </p>
        <p>
          Text, {formatClock('09:30', DEFAULT_HOUR_CYCLE)} to {formatClock('10:20', DEFAULT_HOUR_CYCLE)}
        </p>
        <p className="text-sm text-ink-soft">Small soft text, London time (GMT)</p>
        <p className="text-sm text-ink-faint">Small faint text, London time (GMT)</p>
      </div>
      <div className="flex flex-wrap items-end gap-6">
        <Logo />
        {[0, 0.25, 0.5, 0.75, 1, null].map((at) => (
          <SunPathPicture key={at} at={at} className="h-16" />
        ))}
      </div>
    </UiKitSection>
  )
}

const TOKENS = [
  'paper',
  'surface',
  'sunken',
  'line',
  'line-strong',
  'ink',
  'ink-soft',
  'ink-faint',
  'chosen',
  'noon',
  'noon-strong',
  'noon-soft',
  'noon-ink',
  'link',
  'focus',
  'night',
  'danger',
  'danger-soft',
  'success',
  'success-soft',
  'info',
  'info-soft',
  'warning',
  'warning-soft',
  'dawn',
  'day',
  'dusk',
]
