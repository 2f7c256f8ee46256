import { currentToast, showToast, type Toast } from '#web/ui/toast-store.ts'
import { carry, takeCarried } from './carried.ts'

type CarriedToast = Pick<Toast, 'tone' | 'text'>

/** Continues the present toast in the next document. */
export function carryToast(): void {
  const shown = currentToast()
  if (shown !== null) carry('toast', { tone: shown.tone, text: shown.text } satisfies CarriedToast)
}

/** Shows the toast of the previous document, once there is a place for it. */
export function showCarriedToast(): void {
  const carried = takeCarried<CarriedToast>('toast')
  if (carried !== undefined) showToast(carried.tone, carried.text)
}
