/** API errors about days with their own opening hours (rule T34). */
export const SPECIAL_DAYS_PROBLEMS = {
  'special_days.overlap': {
    status: 409,
    title: 'Some of these days have hours of their own already. Please change or remove those first.',
  },
  'special_days.not_found': { status: 404, title: 'These days were already removed.' },
  'special_days.too_many': {
    status: 409,
    title: 'A calendar can have at most 100 entries of special days that are still to come.',
  },
  'special_days.over': { status: 400, title: 'Please choose a last day that is not over yet.' },
  'special_days.first_after_last': { status: 400, title: 'The last day cannot be before the first.' },
  'special_days.too_long': { status: 400, title: 'Please choose at most 366 days at once.' },
  'special_days.hours_overlap': { status: 400, title: 'This time range overlaps with the one before it.' },
} as const satisfies Record<string, { status: number; title: string }>
