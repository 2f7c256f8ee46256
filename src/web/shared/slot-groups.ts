import type { Slot } from '#contract/slots/slots.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { formatTime, localTimeOf, zoneAbbreviation } from '#web/shared/format-date.ts'
import { PARTS_OF_DAY, type PartOfDay, partOfDay } from './part-of-day.ts'

export type LabelledSlot = { readonly startsAt: string; readonly label: string }
export type SlotGroup = { readonly part: PartOfDay; readonly slots: readonly LabelledSlot[] }

/**
 * Adds labels to times. When the clocks go back and two times read the same, their labels include the zone ('1:30 AM BST', '1:30
 * AM GMT'). The seats that are left follow the time. Source: rules T9 and B53.
 */
export function labelSlots(slots: readonly Slot[], timeZone: string, hourCycle: HourCycle): LabelledSlot[] {
  const labels = slots.map(({ starts_at }) => formatTime(starts_at, timeZone, hourCycle))
  return slots.map(({ starts_at, seats_left }, index) => {
    const label = labels[index] ?? ''
    const isTwice = labels.indexOf(label) !== labels.lastIndexOf(label)
    return {
      startsAt: starts_at,
      label: `${isTwice ? `${label} ${zoneAbbreviation(timeZone, starts_at)}` : label}${seats_left ? ` · ${seats_left} left` : ''}`,
    }
  })
}

/** Groups times by part of the day: morning, afternoon, evening. Source: rule T31. */
export function groupSlots(slots: readonly Slot[], timeZone: string, hourCycle: HourCycle): SlotGroup[] {
  const labelled = labelSlots(slots, timeZone, hourCycle)
  return PARTS_OF_DAY.map((part) => ({
    part,
    slots: labelled.filter(
      ({ startsAt }) => partOfDay(Number.parseInt(localTimeOf(startsAt, timeZone), 10)) === part,
    ),
  })).filter(({ slots: some }) => some.length > 0)
}
