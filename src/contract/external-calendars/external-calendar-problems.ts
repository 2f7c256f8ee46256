/** API errors about external calendars (rule X1). */
export const EXTERNAL_CALENDAR_PROBLEMS = {
  'external_calendar.not_found': { status: 404, title: 'This external calendar is no longer connected.' },
  'external_calendar.provider_not_offered': {
    status: 404,
    title: 'This installation does not connect to this provider.',
  },
  'external_calendar.not_in_plan': {
    status: 403,
    title: 'External calendars are not available on your plan.',
  },
  'external_calendar.authorization_failed': {
    status: 502,
    title: 'The provider did not say where to allow the access. Please try again.',
  },
  'external_calendar.address_invalid': {
    status: 400,
    title: 'Please type the whole address of the calendar, beginning with https://.',
  },
  'external_calendar.address_refused': {
    status: 400,
    title:
      'This address leads into a private network. Please use an address that is reachable from the internet.',
  },
  'external_calendar.login_required': { status: 400, title: 'Please type the user name and the password.' },
  'external_calendar.login_refused': {
    status: 400,
    title: 'The server refuses this user name and password. Many providers ask for an app password here.',
  },
  'external_calendar.connect_failed': {
    status: 502,
    title: 'The calendar server did not answer as expected. Please check the address and try again.',
  },
  'external_calendar.too_many': {
    status: 409,
    title: 'You have connected as many accounts as possible. Please disconnect one first.',
  },
  // The specification calls this code GOOGLE_AUTH_EXPIRED.
  'external_calendar.authorization_expired': {
    status: 409,
    title: 'The access to an account has expired. Please reconnect the account.',
  },
  'external_calendar.sync_failed': {
    status: 502,
    title: 'An account of external calendars could not be synced. We try again by ourselves.',
  },
  'external_calendar.range_invalid': {
    status: 400,
    title: 'Please ask for events of at most 62 days, from an earlier to a later instant.',
  },
  'external_calendar.channel_unknown': { status: 404, title: 'No calendar is watched by this channel.' },
  'external_calendar.read_only': {
    status: 409,
    title: 'This external calendar can only be read. Please choose another one to write to.',
  },
  'external_calendar.write_not_allowed': {
    status: 409,
    title: 'This account allows us to read busy times only. Please allow writing events first.',
  },
  'external_calendar.nothing_to_sync': {
    status: 409,
    title: 'No external calendar is chosen yet. Please choose one to read from or to write to.',
  },
  'external_change.not_found': {
    status: 404,
    title: 'This change no longer needs a decision. Please reload the list.',
  },
  'feed.not_found': { status: 404, title: 'There is no calendar at this address.' },
  'appointment.move_conflict': {
    status: 409,
    title: 'This time is taken. Please choose another one.',
  },
  'appointment.move_state': {
    status: 409,
    title: 'Only an appointment that is confirmed and still to come can be moved.',
  },
  'appointment.move_past': {
    status: 400,
    title: 'An appointment can only be moved to a time that is ahead.',
  },
  'appointment.move_location_taken': {
    status: 409,
    title: 'The location is taken at this time. Please choose another time.',
  },
  'appointment.move_too_long': { status: 400, title: 'An appointment is at most a day long.' },
} as const
