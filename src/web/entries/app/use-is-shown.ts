import { useCallback, useEffect, useRef } from 'react'

/**
 * Returns a function that tells whether the component is still mounted, so that a late response does not navigate away from
 * another page.
 */
export function useIsMounted(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return useCallback(() => shown.current, [])
}
