import { afterEach } from 'vitest'
import { currentToast, dismissToast } from '#web/ui/toast-store.ts'

/** Test files share their modules, and a toast lives in one: what one test left on the screen is not the next one's. */
afterEach(() => {
  const left = currentToast()
  if (left !== null) dismissToast(left.id)
})
