import * as at from '#contract/operations/addresses.ts'
import { callApi } from './call-api.ts'
import { paths } from './paths.ts'

/** Set by the login page as the specification says (§2); nothing relies on it. */
export const LOGGED_IN_FLAG = 'isLoggedIn'

/** Ends the session, removes the local flag and goes home (spec §2 "Navigation"). @throws ApiProblem */
export async function signOut(): Promise<void> {
  await callApi(at.signOut)
  leaveSignedOut(paths.home())
}

/** Goes to a page of another document when the session is over. */
export function leaveSignedOut(path: string): void {
  try {
    localStorage.removeItem(LOGGED_IN_FLAG)
  } catch {
    // Storage is forbidden: then the flag was never set.
  }
  location.assign(path)
}
