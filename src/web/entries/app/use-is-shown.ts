import { useCallback, useEffect, useRef } from 'react'

/** Whether the page that asks is still shown: somebody who has gone on is not led elsewhere by a late answer. */
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
