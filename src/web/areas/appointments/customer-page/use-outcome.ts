import { useEffect, useRef, useState } from 'react'
import { leadTo } from '#web/shared/lead-to.ts'

/**
 * After a customer has moved or cancelled an appointment: loads it anew, and leads to the heading that says how it stands.
 * On a phone that heading is screens away from the button, and the button is gone. Source: rule R5.
 */
export function useOutcome(reload: () => Promise<unknown>) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [outcomes, setOutcomes] = useState(0)
  // In an effect: by then the page shows what was loaded.
  useEffect(() => {
    if (outcomes > 0) leadTo(heading.current)
  }, [outcomes])
  const showOutcome = async () => {
    await reload()
    setOutcomes((count) => count + 1)
  }
  return { heading, showOutcome }
}
