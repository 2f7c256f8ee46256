import * as at from '#contract/operations/addresses.ts'
import { callApi } from './call-api.ts'
import { paths } from './paths.ts'
import { deleteSavedDay } from './saved-day.ts'

/** The localStorage flag that the login page sets. It only signals other tabs and grants no access. Source: rule U15. */
export const LOGGED_IN_FLAG = 'isLoggedIn'

/** Ends the session, removes the local flag and opens the home page. @throws ApiProblem. Source: rule U16. */
export async function signOut(): Promise<void> {
  // Delete the saved day before the request, so that it is gone even if the server cannot be reached. Source: rule Y8.
  deleteSavedDay()
  await callApi(at.signOut)
  redirectAfterSignOut(paths.home())
}

/** Removes local data and loads another page once the session has ended. */
export function redirectAfterSignOut(path: string): void {
  deleteSavedDay()
  try {
    localStorage.removeItem(LOGGED_IN_FLAG)
  } catch {
    // Storage is blocked, so the flag was never set.
  }
  location.assign(path)
}
