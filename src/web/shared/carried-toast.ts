import { currentToast, showToast, type Toast } from '#web/ui/toast-store.ts'

const KEY = 'carried-toast'

/** What is being said now is said on, in the next document. */
export function carryToast(): void {
  const shown = currentToast()
  if (shown === null) return
  try {
    sessionStorage.setItem(KEY, JSON.stringify(toCarried(shown)))
  } catch {
    // Storage is forbidden: it has been said once.
  }
}

/** Says what the document before was saying. */
export function showCarriedToast(): void {
  try {
    const text = sessionStorage.getItem(KEY)
    if (text === null) return
    sessionStorage.removeItem(KEY)
    const carried = JSON.parse(text) as ReturnType<typeof toCarried> // written above
    showToast(carried.tone, carried.text)
  } catch {
    // Storage is forbidden: nothing was carried.
  }
}

function toCarried({ tone, text }: Toast) {
  return { tone, text }
}
