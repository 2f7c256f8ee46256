import { forgetSavedDay } from '#web/shared/saved-day.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'

/**
 * Sets or removes the `isLoggedIn` flag. It is only a signal to other tabs, through the browser's `storage` event;
 * nothing trusts it. An unchanged flag is not written, so that no event is sent. Source: rule U15.
 */
export function rememberSignedIn(signedIn: boolean): void {
  if (!signedIn) forgetSavedDay()
  try {
    if (!signedIn) localStorage.removeItem(LOGGED_IN_FLAG)
    else if (localStorage.getItem(LOGGED_IN_FLAG) === null) localStorage.setItem(LOGGED_IN_FLAG, 'true')
  } catch {
    // Storage is forbidden. The session itself is a cookie, so nothing else is lost.
  }
}
