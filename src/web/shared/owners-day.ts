/**
 * Where an owner's last known day is kept in this browser, so that it can be read without a connection. It is one
 * owner's only, and goes with the session. Source: rules Y7 and Y8.
 */
export const OWNERS_DAY = 'owners-day'

/** Removes the day, because nobody is logged in here any more or somebody else is. */
export function forgetOwnersDay(): void {
  try {
    localStorage.removeItem(OWNERS_DAY)
  } catch {
    // Storage is forbidden: then nothing was kept.
  }
}
