import { paths } from '#web/shared/paths.ts'

/**
 * Installs what opens the owner's day without a connection. Its scope is that page alone: it never sees a request of a
 * booking page or of another page of the owner. Source: rule Y7.
 */
export function registerDayWorker(): void {
  // A development server has no built files to keep.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Without it the page works as before, with a connection.
  navigator.serviceWorker.register('/day-worker.js', { scope: paths.today() }).catch(() => undefined)
}
