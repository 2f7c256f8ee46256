import { findBrowser } from '#tests/support/find-browser.ts'
import { BROWSER_PATH_VARIABLE, SERVER_URL_VARIABLE } from './environment.ts'
import { startServer } from './product.ts'

/** Finds a browser and starts Meridian before the first journey; stops it after the last. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  process.env[BROWSER_PATH_VARIABLE] = findBrowser('shell')
  const product = await startServer()
  process.env[SERVER_URL_VARIABLE] = product.url
  return product.stop
}
