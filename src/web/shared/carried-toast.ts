import { currentToast, showToast, type Toast } from '#web/ui/toast-store.ts'
import { carry, takeCarried } from './carried.ts'

type CarriedToast = Pick<Toast, 'tone' | 'text'>

/** What is being said now is said on, in the next document. */
export function carryToast(): void {
  const shown = currentToast()
  if (shown !== null) carry('toast', { tone: shown.tone, text: shown.text } satisfies CarriedToast)
}

/** Says what the document before was saying, once there is something to say it in. */
export function showCarriedToast(): void {
  const carried = takeCarried<CarriedToast>('toast')
  if (carried !== undefined) showToast(carried.tone, carried.text)
}
