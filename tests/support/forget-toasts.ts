import { afterEach } from 'vitest'
import { currentToast, dismissToast } from '#web/ui/toast-store.ts'

/** Test files share their modules, including the module that stores the current toast, so a toast would reach the next test. */
afterEach(() => {
  const left = currentToast()
  if (left !== null) dismissToast(left.id)
})
