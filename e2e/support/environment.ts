/** How the global setup tells the workers where the browser is and where the product answers. */
export const BROWSER_PATH_VARIABLE = 'JOURNEYS_BROWSER'
export const PRODUCT_URL_VARIABLE = 'JOURNEYS_URL'
/** The folder into which journeys write pictures of pages. Without it, they take none. */
export const PICTURES_FOLDER_VARIABLE = 'JOURNEYS_PICTURES'

/** The address of the product under test, without a slash at the end. */
export function productUrl(): string {
  const url = process.env[PRODUCT_URL_VARIABLE]
  if (!url) throw new Error(`${PRODUCT_URL_VARIABLE} is not set: the global setup has not run`)
  return url
}
