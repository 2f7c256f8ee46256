import { whenIdle } from '#web/kit/when-idle.ts'
import { paths } from '#web/shared/paths.ts'

/** By then the page is painted, and whoever signs in still types: the download would compete with the paint. */
const WAIT_FOR_PAINT_MS = 500

/**
 * Fetches, when there is nothing else to do, the files that the dashboard's document asks for, so that the browser has them after
 * the login. A failure is told to whoever goes there.
 * @returns gives it up
 */
export function fetchOwnerPages(): () => void {
  const leaving = new AbortController()
  const { signal } = leaving
  const fetchAll = async () => {
    const page = await fetch(paths.dashboard(), { signal })
    const files = (await page.text()).matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)
    await Promise.all(Array.from(files, ([, file = '']) => fetch(file, { signal, priority: 'low' })))
  }
  const timer = setTimeout(() => whenIdle(() => void fetchAll().catch(() => undefined)), WAIT_FOR_PAINT_MS)
  return () => {
    clearTimeout(timer)
    leaving.abort()
  }
}
