import { runWhenIdle } from '#web/kit/when-idle.ts'
import { paths } from '#web/shared/paths.ts'

/**
 * How long to wait before the download, in ms. By then, the page has been painted, and a user who logs in is still typing. An
 * earlier download would slow down the painting.
 */
const WAIT_FOR_PAINT_MS = 500

/**
 * Prefetches the dashboard's files while the browser is idle, so that they are cached by the time the owner logs in. If a file
 * fails to load, the dashboard reports it.
 * @returns a function that cancels the download
 */
export function prefetchOwnerPages(): () => void {
  const leaving = new AbortController()
  const { signal } = leaving
  const fetchAll = async () => {
    const page = await fetch(paths.dashboard(), { signal })
    const files = (await page.text()).matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)
    await Promise.all(Array.from(files, ([, file = '']) => fetch(file, { signal, priority: 'low' })))
  }
  const timer = setTimeout(() => runWhenIdle(() => void fetchAll().catch(() => undefined)), WAIT_FOR_PAINT_MS)
  return () => {
    clearTimeout(timer)
    leaving.abort()
  }
}
