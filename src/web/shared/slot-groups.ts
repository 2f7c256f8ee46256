import type { Slot } from '#contract/slots.ts'
import { formatTime, zoneAbbreviation } from '#web/shared/format-date.ts'

export type PartOfDay = 'Morning' | 'Afternoon' | 'Evening'
export type LabelledSlot = { readonly startsAt: string; readonly label: string }
export type SlotGroup = { readonly part: PartOfDay; readonly slots: readonly LabelledSlot[] }

/**
 * Times in the order of the day: before noon, before 5 PM, after. Where clocks go back and two times read the same,
 * each says which offset it means ('1:30 AM BST', '1:30 AM GMT').
 *
 * Source: scheduling-rules 4.
 */
export function groupSlots(slots: readonly Slot[], timeZone: string): SlotGroup[] {
  const labels = slots.map(({ starts_at }) => formatTime(starts_at, timeZone))
  const labelled = slots.map(({ starts_at }, index) => {
    const label = labels[index] ?? ''
    const isTwice = labels.indexOf(label) !== labels.lastIndexOf(label)
    return {
      startsAt: starts_at,
      label: isTwice ? `${label} ${zoneAbbreviation(timeZone, starts_at)}` : label,
    }
  })
  return PARTS.map((part) => ({
    part,
    slots: labelled.filter(({ label }) => partOf(label) === part),
  })).filter(({ slots: some }) => some.length > 0)
}

const PARTS = ['Morning', 'Afternoon', 'Evening'] as const

/** Reads the part of the day off a 12-hour label, so that a time is always grouped as it is written. */
function partOf(label: string): PartOfDay {
  if (label.includes('AM')) return 'Morning'
  const hour = Number.parseInt(label, 10) % 12
  return hour < 5 ? 'Afternoon' : 'Evening'
}
