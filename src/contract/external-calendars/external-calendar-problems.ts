/** API errors about external calendars (rule X1). */
export const EXTERNAL_CALENDAR_PROBLEMS = {
  'external_calendar.not_found': { status: 404, title: 'This external calendar is no longer connected.' },
  'external_calendar.provider_not_offered': {
    status: 404,
    title: 'This provider isn’t available on this site.',
  },
  'external_calendar.not_in_plan': {
    status: 403,
    title: 'External calendars are not available on your plan.',
  },
  'external_calendar.authorization_failed': {
    status: 502,
    title: 'The provider didn’t send an authorization page. Please try again.',
  },
  'external_calendar.address_invalid': {
    status: 400,
    title: 'Please enter the full address of the calendar, starting with https://.',
  },
  'external_calendar.address_refused': {
    status: 400,
    title: 'This address is on a private network. Please use one that is reachable from the internet.',
  },
  'external_calendar.login_required': { status: 400, title: 'Please enter the user name and password.' },
  'external_calendar.login_refused': {
    status: 400,
    title: 'The server rejected this user name and password. Many providers need an app password here.',
  },
  'external_calendar.connect_failed': {
    status: 502,
    title: 'The calendar server gave an unexpected response. Please check the address and try again.',
  },
  'external_calendar.too_many': {
    status: 409,
    title: 'You’ve reached the limit of connected accounts. Please disconnect one first.',
  },
  // The specification calls this code GOOGLE_AUTH_EXPIRED.
  'external_calendar.authorization_expired': {
    status: 409,
    title: 'Access to an account has expired. Please reconnect the account.',
  },
  'external_calendar.sync_failed': {
    status: 502,
    title: 'We couldn’t sync one of your external calendar accounts. We’ll try again automatically.',
  },
  'external_calendar.range_invalid': {
    status: 400,
    title: 'Please request at most 62 days, with the start before the end.',
  },
  'external_calendar.channel_unknown': { status: 404, title: 'This channel doesn’t watch any calendar.' },
  'external_calendar.read_only': {
    status: 409,
    title: 'This external calendar is read-only. Please choose another one to write to.',
  },
  'external_calendar.write_not_allowed': {
    status: 409,
    title: 'We can only read busy times from this account. Please allow us to write events first.',
  },
  'external_calendar.nothing_to_sync': {
    status: 409,
    title: 'Please choose an external calendar to read from or write to first.',
  },
  'external_change.not_found': {
    status: 404,
    title: 'This change no longer needs a review. Please reload the list.',
  },
  'feed.not_found': { status: 404, title: 'There is no calendar at this address.' },
  'appointment.move_conflict': {
    status: 409,
    title: 'This time is taken. Please choose another one.',
  },
  'appointment.move_state': {
    status: 409,
    title: 'Only upcoming confirmed appointments can be moved.',
  },
  'appointment.move_past': {
    status: 400,
    title: 'An appointment can only be moved to a future time.',
  },
  'appointment.move_location_taken': {
    status: 409,
    title: 'The location is taken at this time. Please choose another time.',
  },
  'appointment.move_too_long': { status: 400, title: 'An appointment can be at most a day long.' },
} as const
