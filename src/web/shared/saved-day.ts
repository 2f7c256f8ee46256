/**
 * The localStorage key of the owner's day, which is saved for offline use. The saved day belongs to one owner and is deleted with
 * the session. Source: rules Y7 and Y8.
 */
export const SAVED_DAY_KEY = 'owners-day'

/** Deletes the saved day after a sign-out, or when another user logs in. */
export function deleteSavedDay(): void {
  try {
    localStorage.removeItem(SAVED_DAY_KEY)
  } catch {
    // Storage is blocked, so nothing was saved.
  }
}
