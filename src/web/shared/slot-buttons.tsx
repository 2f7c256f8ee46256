import type { Slot } from '#contract/slots/slots.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { PART_OF_DAY_COLORS } from './part-of-day.ts'
import { groupSlots, type LabelledSlot } from './slot-groups.ts'

type Choosing = {
  /** The start of the chosen time, or null when none is chosen. */
  selected: string | null
  onSelect: (startsAt: string) => void
}

type SlotButtonsProps = Choosing & {
  slots: readonly Slot[]
  /** The time zone in which the times are shown. */
  timeZone: string
  hourCycle: HourCycle
}

/** Lets the user choose a time. The times are grouped by part of the day. Source: rule T31. */
export function SlotButtons({ slots, timeZone, hourCycle, ...choosing }: SlotButtonsProps) {
  return (
    <div className="grid gap-4">
      {groupSlots(slots, timeZone, hourCycle).map(({ part, slots: ofPart }) => (
        <fieldset key={part}>
          <legend className="mb-2 flex items-center gap-2 text-sm font-semibold text-ink-soft">
            <span aria-hidden="true" className={`h-3 w-5 rounded-full ${PART_OF_DAY_COLORS[part]}`} />
            {part}
          </legend>
          <TimeButtons slots={ofPart} columns="grid-cols-2 sm:grid-cols-3" {...choosing} />
        </fieldset>
      ))}
    </div>
  )
}

type TimeButtonsProps = Choosing & { slots: readonly LabelledSlot[]; columns: string }

/** Shows a button for each time. */
export function TimeButtons({ slots, columns, selected, onSelect }: TimeButtonsProps) {
  return (
    <div className={`grid gap-2 ${columns}`}>
      {slots.map(({ startsAt, label }) => (
        <button
          key={startsAt}
          type="button"
          aria-pressed={startsAt === selected}
          onClick={() => onSelect(startsAt)}
          className="time-button"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
