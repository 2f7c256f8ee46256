import { useEffect, useRef, useState } from 'react'
import { focusAndScrollTo } from '#web/shared/focus-and-scroll-to.ts'

/**
 * After a customer has moved or cancelled an appointment, reloads it and focuses the heading, which shows the new state.
 * This is needed because the pressed button has disappeared, and on a phone the heading is off the screen. Source: rule
 * R5.
 */
export function useFocusOnOutcome(reload: () => Promise<unknown>) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [outcomes, setOutcomes] = useState(0)
  // Focus in an effect, because by then the reloaded appointment has been rendered.
  useEffect(() => {
    if (outcomes > 0) focusAndScrollTo(heading.current)
  }, [outcomes])
  const showOutcome = async () => {
    await reload()
    setOutcomes((count) => count + 1)
  }
  return { heading, showOutcome }
}
