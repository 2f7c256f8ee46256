import { useEffect } from 'react'
import { paths } from '#web/shared/paths.ts'
import { toast } from '#web/ui/toast.tsx'

/** Says goodbye to somebody who has just deleted their account, once, and takes that out of the address. */
export function useFarewell(): void {
  useEffect(() => {
    if (`${location.pathname}${location.search}` !== paths.farewell()) return
    history.replaceState(history.state, '', paths.home())
    toast.success('Your account is deleted. Thank you for your time with us.')
  }, [])
}
