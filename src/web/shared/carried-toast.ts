import { currentToast, showToast, type Toast } from '#web/ui/toast-store.ts'

const KEY = 'carried-toast'

/** What was said before that is no news any more: the next document did not come. */
const NEWS_MS = 10_000

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

/** Says what the document before was saying, once there is something to say it in. */
export function showCarriedToast(): void {
  try {
    const text = sessionStorage.getItem(KEY)
    if (text === null) return
    sessionStorage.removeItem(KEY)
    const carried = JSON.parse(text) as ReturnType<typeof toCarried> // written above
    if (Date.now() - carried.saidAtMs < NEWS_MS) showToast(carried.tone, carried.text)
  } catch {
    // Storage is forbidden: nothing was carried.
  }
}

function toCarried({ tone, text }: Toast) {
  return { tone, text, saidAtMs: Date.now() }
}
