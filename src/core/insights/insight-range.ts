/** How many months insights can look back on, the present one included. Source: rule N1. */
export const INSIGHT_MONTHS = ['3', '6', '12', '24'] as const
export type InsightMonths = (typeof INSIGHT_MONTHS)[number]

/** Most appointments that one question reads: the latest of them. Source: rule N7. */
export const MAX_READ_APPOINTMENTS = 50_000

/** Types that have a bar of their own; the rest have one together. */
export const MAX_SHOWN_TYPES = 8
