import { useEffect, useState } from 'react'

/** Somebody who types pauses longer than this when they want an answer. */
const PAUSE_MS = 200

/** The value once it has not changed for a moment, so that not every letter causes a request. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
