import { whenIdle } from '#web/kit/when-idle.ts'
import { paths } from '#web/shared/paths.ts'

/** By then the page is painted, and somebody who logs in is still typing: the download would compete with the paint. */
const WAIT_FOR_PAINT_MS = 500

/**
 * Downloads, while the browser is idle, the files of the dashboard's document, so that the browser has them after the
 * login. The dashboard reports a failure itself.
 * @returns cancels it
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
