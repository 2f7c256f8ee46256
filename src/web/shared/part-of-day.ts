export const PARTS_OF_DAY = ['Morning', 'Afternoon', 'Evening'] as const
export type PartOfDay = (typeof PARTS_OF_DAY)[number]

/** The CSS class of the colour for each part of the day. */
export const PART_OF_DAY_COLORS: Readonly<Record<PartOfDay, string>> = {
  Morning: 'bg-dawn',
  Afternoon: 'bg-day',
  Evening: 'bg-dusk',
}

/** The hour at which the afternoon ends and the evening begins. Source: rule T31. */
export const EVENING_HOUR = 17

/** Returns the part of the day of an hour, 0 to 23. */
export function partOfDay(hour: number): PartOfDay {
  if (hour < 12) return 'Morning'
  return hour < EVENING_HOUR ? 'Afternoon' : 'Evening'
}
