import { useState } from 'react'
import { ApiProblem } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'

/**
 * Runs the action of a button. `doing` names the running action. After a success it stays set while the next page loads.
 * After a failure, shows a toast and calls `onRefused`.
 */
export function useButtonAction<What>(onRefused: () => void) {
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
