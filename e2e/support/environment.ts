/** The variables by which the global setup tells the workers where the browser is and at which URL Meridian listens. */
export const BROWSER_PATH_VARIABLE = 'JOURNEYS_BROWSER'
export const SERVER_URL_VARIABLE = 'JOURNEYS_URL'
/** The folder into which journeys save screenshots of pages. If unset, they take none. */
export const SCREENSHOTS_FOLDER_VARIABLE = 'JOURNEYS_PICTURES'

/** Returns the URL of the server under test, without a trailing slash. */
export function serverUrl(): string {
  const url = process.env[SERVER_URL_VARIABLE]
  if (!url) throw new Error(`${SERVER_URL_VARIABLE} is not set: the global setup has not run`)
  return url
}
