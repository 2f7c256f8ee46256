import { useRef } from 'react'

type Outcome = { readonly onSuccess: () => void; readonly onError: () => void }

/**
 * Sends a removal once, however often its button is pressed; after a failure it can be pressed again. It is marked at once. `isPending`
 * is drawn a moment later, after the second click of a double click.
 */
export function useRemoveOnce(remove: (outcome: Outcome) => void, onRemoved: () => void): () => void {
  const isSent = useRef(false)
  return () => {
    if (isSent.current) return
    isSent.current = true
    remove({
      onSuccess: onRemoved,
      onError: () => {
        isSent.current = false
      },
    })
  }
}
