import { useCallback, useEffect, useRef } from 'react'

/** Tells whether the page that asks is still shown: whoever has gone on is not led elsewhere by an answer that comes late. */
export function useIsShown(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return useCallback(() => shown.current, [])
}
