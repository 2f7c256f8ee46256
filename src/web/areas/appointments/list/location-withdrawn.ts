/** What an owner reads beside an appointment whose location is no longer shared with its calendar. Source: rule L11. */
export const LOCATION_WITHDRAWN =
  'The location is no longer reserved: its owner no longer shares it with this calendar.'
