/** Refusals of places (spec §5 "Location"). */
export const LOCATION_PROBLEMS = {
  'location.name_required': { status: 400, title: 'Location name is required' },
  'location.not_found': { status: 404, title: 'Location not found' },
} as const satisfies Record<string, { status: number; title: string }>
