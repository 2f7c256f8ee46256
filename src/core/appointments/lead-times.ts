/** Ranges of lead time between booking and start. Source: rule N6. */
export const LEAD_TIME_BANDS = [
  'under_a_day',
  'one_to_three_days',
  'three_to_seven_days',
  'one_to_two_weeks',
  'two_to_four_weeks',
  'over_four_weeks',
] as const
export type LeadTimeBand = (typeof LEAD_TIME_BANDS)[number]

/** Lower bound of each range except the first, in elapsed hours. */
export const LEAD_TIME_BAND_STARTS_HOURS = [24, 72, 168, 336, 672] as const

/** Returns the range that contains the median appointment; null when there are no appointments. */
export function findMedianBand(
  bands: readonly { readonly band: LeadTimeBand; readonly appointments: number }[],
): LeadTimeBand | null {
  const total = bands.reduce((sum, { appointments }) => sum + appointments, 0)
  let counted = 0
  for (const { band, appointments } of bands) {
    counted += appointments
    if (total > 0 && counted * 2 >= total) return band
  }
  return null
}
