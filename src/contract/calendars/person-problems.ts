/** API errors about the people whose time is booked (rules T38 to T42). */
export const PERSON_PROBLEMS = {
  'person.not_found': { status: 404, title: 'This person no longer exists. Please reload the page.' },
  'person.name_required': { status: 400, title: 'Please choose whose time this is.' },
  'person.overlaps': {
    status: 409,
    title:
      'Some of this calendar’s appointments overlap this person’s other appointments. Please move or cancel them first.',
  },
} as const satisfies Record<string, { status: number; title: string }>
