/** API errors about the weekly schedule and the slot settings (rule T25). */
export const OPENING_HOURS_PROBLEMS = {
  'availability.start_after_end': { status: 400, title: 'Start time must be earlier than end time' },
  'availability.overlap': {
    status: 409,
    title: 'This time range overlaps with existing availability for this day',
  },
  'availability.not_found': { status: 404, title: 'This time range was already removed.' },
  'availability.too_many': { status: 409, title: 'A day can have at most 20 time ranges.' },
  'availability.max_below_slot': {
    status: 400,
    title: 'The longest appointment can’t be shorter than a time slot.',
  },
} as const satisfies Record<string, { status: number; title: string }>
