/** The pages of this entry. Any other address is another document (home, pricing, booking pages). */
const APP_PATHS = [
  /^\/(login|register|forgot-password|reset-password|auth\/callback|auth\/email-change|dashboard|profile|(stripe|paypal)-connect-callback|sandbox\/mail|sandbox\/mail\/gallery)\/?$/,
  /^\/calendar\//,
]

/** Says whether the router of this entry shows `pathname`. */
export function isAppPath(pathname: string): boolean {
  return APP_PATHS.some((pattern) => pattern.test(pathname))
}
