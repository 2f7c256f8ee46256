/** API errors about days with their own opening hours (rule T34). */
export const SPECIAL_DAYS_PROBLEMS = {
  'special_days.overlap': {
    status: 409,
    title: 'Some of these days already have special hours. Please change or remove those first.',
  },
  'special_days.not_found': { status: 404, title: 'These days were already removed.' },
  'special_days.too_many': {
    status: 409,
    title: 'A calendar can have at most 100 upcoming special days.',
  },
  'special_days.over': { status: 400, title: 'Please choose a last day that isn’t in the past.' },
  'special_days.first_after_last': { status: 400, title: 'The last day can’t be before the first.' },
  'special_days.too_long': { status: 400, title: 'Please choose at most 366 days at once.' },
  'special_days.hours_overlap': { status: 400, title: 'This time range overlaps with the one before it.' },
} as const satisfies Record<string, { status: number; title: string }>
