import { useEffect } from 'react'
import { paths } from '#web/shared/paths.ts'
import { toast } from '#web/ui/toast.tsx'

/** Shows a goodbye message once to a user who has just deleted their account, and removes the parameter from the URL. */
export function useToastAfterAccountDeletion(): void {
  useEffect(() => {
    if (`${location.pathname}${location.search}` !== paths.farewell()) return
    history.replaceState(history.state, '', paths.home())
    toast.success('Your account has been deleted. Thank you for your time with us.')
  }, [])
}
