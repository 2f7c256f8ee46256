import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { paths } from '#web/shared/paths.ts'

/** The paths of the pages in the owner's entry. Other paths are documents of other entries (home, login, booking pages). */
const APP_PATHS = [
  /^\/(dashboard|today|appointments|customers|insights|profile|setup|(stripe|paypal)-connect-callback)\/?$/,
  /^\/calendar\//,
]

/** True when `pathname` is a page of the owner's entry. */
export function isOwnerPagePath(pathname: string): boolean {
  return APP_PATHS.some((pattern) => pattern.test(pathname))
}

/** True when this entry's router shows `pathname`: an owner's page, or the login of an owner whose session has ended. */
export function isPathOfAppRouter(pathname: string): boolean {
  return isOwnerPagePath(pathname) || pathname === paths.login()
}

const OWNER_PAGES = Object.keys(APP_PAGES).map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`))

/** True when `pathname` is one of the owner's pages, which have the frame; false for the login and for unknown paths. */
export function isOwnerPage(pathname: string): boolean {
  return OWNER_PAGES.some((pattern) => pattern.test(pathname))
}
