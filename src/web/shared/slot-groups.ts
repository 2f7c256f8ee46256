import type { Slot } from '#contract/slots.ts'
import { formatTime, localTimeOf, zoneAbbreviation } from '#web/shared/format-date.ts'
import { PARTS_OF_DAY, type PartOfDay, partOfDay } from './part-of-day.ts'

export type LabelledSlot = { readonly startsAt: string; readonly label: string }
export type SlotGroup = { readonly part: PartOfDay; readonly slots: readonly LabelledSlot[] }

/**
 * Times in the order of the day: before noon, before the evening, after. Where clocks go back and two times read the
 * same, each names its offset ('1:30 AM BST', '1:30 AM GMT'). Source: rules T9 and T31.
 */
export function groupSlots(slots: readonly Slot[], timeZone: string): SlotGroup[] {
  const labels = slots.map(({ starts_at }) => formatTime(starts_at, timeZone))
  const labelled = slots.map(({ starts_at }, index) => {
    const label = labels[index] ?? ''
    const isTwice = labels.indexOf(label) !== labels.lastIndexOf(label)
    return {
      startsAt: starts_at,
      label: isTwice ? `${label} ${zoneAbbreviation(timeZone, starts_at)}` : label,
      part: partOfDay(Number.parseInt(localTimeOf(starts_at, timeZone), 10)),
    }
  })
  return PARTS_OF_DAY.map((part) => ({
    part,
    slots: labelled.filter((slot) => slot.part === part),
  })).filter(({ slots: some }) => some.length > 0)
}
