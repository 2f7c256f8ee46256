import { formatZone } from '#web/shared/format-date.ts'
import type { ZoneKind as Choice } from './booking-draft.ts'
import { isSameZone, type TimeZonesOfPage } from './shown-zone.ts'

type ZoneChoiceProps = {
  zones: TimeZonesOfPage
  chosen: Choice
  /** The instant for which to show the zone abbreviation, which changes over the year. */
  atIso: string
  onChoose: (zone: Choice) => void
}

/** Shows the time zone of the times. Lets the visitor switch if their zone differs from the calendar's. */
export function TimeZoneSwitch({ zones, chosen, atIso, onChoose }: ZoneChoiceProps) {
  if (isSameZone(zones.calendar, zones.visitor)) {
    return (
      <p className="text-ink-soft">
        Times are shown in{' '}
        <strong className="font-semibold text-ink">{formatZone(zones.calendar, atIso)}</strong>.
      </p>
    )
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Times are shown in</legend>
      <div className="grid gap-1 rounded-control bg-sunken p-1 sm:grid-cols-2">
        {(['calendar', 'visitor'] as const).map((choice) => (
          <label key={choice} className="zone-option">
            <input
              type="radio"
              name="shown-zone"
              value={choice}
              checked={chosen === choice}
              onChange={() => onChoose(choice)}
              className="radio-sun"
            />
            <span className="min-w-0">
              {choice === 'visitor' && 'Your time: '}
              {formatZone(zones[choice], atIso)}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
