import { useState } from 'react'
import { ApiProblem } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'

/**
 * Does what a button promises. `doing` names it from the press on, also while what follows is loaded. When it fails, the reason is
 * said, and `onRefused` is called.
 */
export function useAttempt<What>(onRefused: () => void) {
  const [doing, setDoing] = useState<What | null>(null)
  const attempt = async (what: What, work: () => Promise<void>) => {
    setDoing(what)
    try {
      await work()
    } catch (problem) {
      toast.error(problem instanceof ApiProblem ? problem.message : 'Something went wrong. Please try again.')
      setDoing(null)
      onRefused()
    }
  }
  return { doing, attempt }
}
