/** The server's areas. Each is named after the things that it manages. */
export const AREAS = [
  'accounts',
  'addresses',
  'appointments',
  'availability',
  'customers',
  'external-calendars',
  'payments',
  'plans',
  'waiting-list',
] as const

type Area = (typeof AREAS)[number]

/** One area's import of another, and the reason. docs/architecture.md shows the same table. */
export type AreaArrow = { readonly from: Area; readonly to: Area; readonly because: string }

/**
 * The imports between areas never form a cycle: the import rules forbid cycles between files, and a test forbids cycles between
 * areas.
 */
export const AREA_ARROWS: readonly AreaArrow[] = [
  { from: 'accounts', to: 'availability', because: 'deleting an account ends the sharing of its locations' },
  {
    from: 'accounts',
    to: 'external-calendars',
    because: 'deleting an account disconnects its external calendars',
  },
  { from: 'appointments', to: 'availability', because: 'cancelling whole days closes them' },
  { from: 'customers', to: 'appointments', because: "a customer signs in from an appointment's page" },
  {
    from: 'customers',
    to: 'waiting-list',
    because: 'merging and erasing a customer includes their requests',
  },
  {
    from: 'external-calendars',
    to: 'appointments',
    because: 'moving or deleting an event moves or cancels its appointment',
  },
  { from: 'payments', to: 'appointments', because: 'a payment books the time that was held for it' },
  { from: 'waiting-list', to: 'appointments', because: 'an offer is a hold, and accepting it is a booking' },
  { from: 'waiting-list', to: 'availability', because: 'a request names an appointment type' },
  { from: 'waiting-list', to: 'payments', because: 'accepting an offer of a paid type begins a checkout' },
]
