import { useEffect, useState } from 'react'

/** The debounce delay, in ms. */
const PAUSE_MS = 200

/** Returns the value after it has stopped changing, so that not every typed letter causes a request. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
