import { paths } from '#web/shared/paths.ts'

/**
 * Registers the service worker that opens the owner's day offline. Its scope is that page alone, so it never sees a request of a
 * booking page or of another owner's page. Source: rule Y7.
 */
export function registerOfflineDayWorker(): void {
  // A development server has no built files that the worker could cache.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // If the registration fails, the page works as before, but only online.
  navigator.serviceWorker.register('/day-worker.js', { scope: paths.today() }).catch(() => undefined)
}
