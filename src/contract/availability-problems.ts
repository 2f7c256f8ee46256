/** Refusals of the weekly schedule and the slot settings (spec §5). */
export const AVAILABILITY_PROBLEMS = {
  'availability.start_after_end': { status: 400, title: 'Start time must be earlier than end time' },
  'availability.overlap': {
    status: 409,
    title: 'This time range overlaps with existing availability for this day',
  },
} as const satisfies Record<string, { status: number; title: string }>
