import { useEffect, useState } from 'react'

/** The debounce delay. */
const PAUSE_MS = 200

/** The debounced value, so that not every letter causes a request. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
