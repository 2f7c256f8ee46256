/** API errors about locations (rule L1). */
export const LOCATION_PROBLEMS = {
  'location.name_required': { status: 400, title: 'Location name is required' },
  'location.not_found': { status: 404, title: 'Location not found' },
  'location.code_unknown': {
    status: 404,
    title: 'No location has this code. Please ask its owner for the current code.',
  },
  'location.not_shareable': {
    status: 409,
    title: 'This location is private. Turn on “Shareable” to get a code for it.',
  },
  'location.too_many_guests': {
    status: 409,
    title: 'This location can’t be shared with any more calendars. Please ask its owner to remove one first.',
  },
  'location.already_added': { status: 409, title: 'This calendar already has this location.' },
  'location.taken': { status: 409, title: 'You already have a location with this name and address.' },
} as const satisfies Record<string, { status: number; title: string }>
