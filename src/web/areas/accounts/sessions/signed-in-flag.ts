import { deleteSavedDay } from '#web/shared/saved-day.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'

/**
 * Sets or removes the `isLoggedIn` flag. The flag is only a signal to other tabs through the browser's `storage` event, and
 * grants no access. An unchanged flag is not written, so that the browser sends no event. Source: rule U15.
 */
export function setSignedInFlag(signedIn: boolean): void {
  if (!signedIn) deleteSavedDay()
  try {
    if (!signedIn) localStorage.removeItem(LOGGED_IN_FLAG)
    else if (localStorage.getItem(LOGGED_IN_FLAG) === null) localStorage.setItem(LOGGED_IN_FLAG, 'true')
  } catch {
    // Storage is blocked. The session itself is a cookie, so nothing else is lost.
  }
}
