/** Where somebody signs in, or gets to where they can. */
const SESSION_PATHS =
  /^\/(login|register|forgot-password|reset-password|auth\/callback|auth\/email-change)\/?$/

/** The pages of the owner's entry. Any other address belongs to another one (home, pricing, booking pages). */
const APP_PATHS = [
  SESSION_PATHS,
  /^\/(dashboard|profile|(stripe|paypal)-connect-callback|sandbox\/mail|sandbox\/mail\/gallery)\/?$/,
  /^\/calendar\//,
]

/** Says whether `pathname` is a page of the owner's entry. */
export function isAppPath(pathname: string): boolean {
  return APP_PATHS.some((pattern) => pattern.test(pathname))
}

/** Says whether `pathname` is for people who are not signed in yet. */
export function isSessionPath(pathname: string): boolean {
  return SESSION_PATHS.test(pathname)
}
