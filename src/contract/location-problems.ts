/** Refusals of locations (rule L1). */
export const LOCATION_PROBLEMS = {
  'location.name_required': { status: 400, title: 'Location name is required' },
  'location.not_found': { status: 404, title: 'Location not found' },
  'location.already_added': { status: 409, title: 'This calendar already has this location.' },
  'location.taken': { status: 409, title: 'You already have a location with this name and address.' },
} as const satisfies Record<string, { status: number; title: string }>
