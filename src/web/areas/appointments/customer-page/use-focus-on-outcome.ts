import { useEffect, useRef, useState } from 'react'
import { focusAndScrollTo } from '#web/shared/focus-and-scroll-to.ts'

/**
 * After a customer has moved or cancelled an appointment, reloads it and focuses the heading with the new state. On a
 * phone the heading is far from the pressed button, which has disappeared. Source: rule R5.
 */
export function useFocusOnOutcome(reload: () => Promise<unknown>) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [outcomes, setOutcomes] = useState(0)
  // In an effect: by then the reloaded appointment is rendered.
  useEffect(() => {
    if (outcomes > 0) focusAndScrollTo(heading.current)
  }, [outcomes])
  const showOutcome = async () => {
    await reload()
    setOutcomes((count) => count + 1)
  }
  return { heading, showOutcome }
}
