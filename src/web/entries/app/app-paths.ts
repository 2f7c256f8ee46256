import { paths } from '#web/shared/paths.ts'

/** The paths of the pages in the owner's entry. Other paths are documents of other entries (home, login, booking pages). */
const APP_PATHS = [/^\/(dashboard|today|profile|(stripe|paypal)-connect-callback)\/?$/, /^\/calendar\//]

/** True when `pathname` is a page of the owner's entry. */
export function isOwnerPagePath(pathname: string): boolean {
  return APP_PATHS.some((pattern) => pattern.test(pathname))
}

/** True when this entry's router shows `pathname`: an owner's page, or the login of an owner whose session has ended. */
export function isPathOfAppRouter(pathname: string): boolean {
  return isOwnerPagePath(pathname) || pathname === paths.login()
}
