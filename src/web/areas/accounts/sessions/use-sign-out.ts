import { useMutation } from '@tanstack/react-query'
import { signOut } from '#web/shared/sign-out.ts'
import { toast } from '#web/ui/toast.tsx'
import { logAuthEvent } from './auth-events.ts'

/**
 * Returns a function that signs the owner out and opens the home page. A second call while signing out does nothing. Source: rule
 * U16.
 */
export function useSignOut(): () => void {
  const { mutate, isPending } = useMutation({
    mutationFn: signOut,
    onSuccess: () => logAuthEvent('SIGNED_OUT', null),
    onError: (error) => toast.error(error.message),
  })
  return () => {
    if (!isPending) mutate()
  }
}
