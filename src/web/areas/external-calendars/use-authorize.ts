import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type {
  CalendarAuthorizationBody,
  ConsentReturnPage,
} from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { type ConsentProvider, PROVIDER_TEXTS } from './provider-words.ts'

/** The name of the company that runs the provider's consent page. */
const COMPANIES: Readonly<Record<ConsentProvider, string>> = { google: 'Google', microsoft: 'Microsoft' }

/** Sends the owner to a provider's consent page. Source: rule G19. */
export function useOpenConsentPage(calendarId: string, provider: ConsentProvider) {
  const { mutate, isPending, isSuccess, reset, variables } = useMutation({
    mutationFn: (body: Omit<CalendarAuthorizationBody, 'returns_to'>) =>
      callApi(at.authorizeExternalCalendar, {
        params: { id: calendarId, provider },
        body: { ...body, returns_to: currentPage() },
      }),
    onSuccess: ({ authorization_url }) => location.assign(authorization_url),
    onError: (error) => {
      const { code, message } = toProblem(error)
      toast.error(
        code === 'external_calendar.authorization_failed'
          ? `Failed to get ${COMPANIES[provider]} authorization URL`
          : `Failed to connect to ${PROVIDER_TEXTS[provider].name}: ${message}`,
      )
    },
  })
  // If the owner presses Back, the back-forward cache restores this page in its pending state: reset it.
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [reset])
  const isLeaving = isPending || isSuccess
  return { authorize: mutate, isLeaving, access: isLeaving ? variables.access : undefined }
}

/** Returns the page that the owner leaves, so that the provider's page leads back to it. */
function currentPage(): ConsentReturnPage {
  if (location.pathname === '/setup') return 'setup'
  return location.pathname.endsWith('/settings') ? 'settings' : 'dashboard'
}
