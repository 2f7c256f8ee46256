import * as at from '#contract/operations/addresses.ts'
import { callApi } from './call-api.ts'
import { forgetOwnersDay } from './owners-day.ts'
import { paths } from './paths.ts'

/** Set by the login page; nothing relies on it. Source: rule U15. */
export const LOGGED_IN_FLAG = 'isLoggedIn'

/** Ends the session, removes the local flag and goes to the home page. @throws ApiProblem. Source: rule U16. */
export async function signOut(): Promise<void> {
  // Also where the server cannot be reached: whoever signs out leaves nobody's day on this device. Source: rule Y8.
  forgetOwnersDay()
  await callApi(at.signOut)
  leaveSignedOut(paths.home())
}

/** Goes to a page of another document when the session is over. */
export function leaveSignedOut(path: string): void {
  forgetOwnersDay()
  try {
    localStorage.removeItem(LOGGED_IN_FLAG)
  } catch {
    // Storage is forbidden: then the flag was never set.
  }
  location.assign(path)
}
