import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { ConnectCallbackPage } from '#web/areas/payments/accounts/connect-callback-page.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'

const stripeApi = getRouteApi('/stripe-connect-callback')
const paypalApi = getRouteApi('/paypal-connect-callback')

/** `/stripe-connect-callback?code=&state=&error=` */
export function StripeConnectRoute() {
  return <ConnectCallbackPage provider="stripe" callback={stripeApi.useSearch()} {...useWaysOn()} />
}

/** `/paypal-connect-callback?code=&state=&error=` */
export function PaypalConnectRoute() {
  return <ConnectCallbackPage provider="paypal" callback={paypalApi.useSearch()} {...useWaysOn()} />
}

/**
 * To the calendar's payments, or to the dashboard. It does not go back in the history, where a code would be used
 * twice. Source: rule F4.
 */
function useWaysOn() {
  useDocumentTitle(APP_PAGES['/stripe-connect-callback'])
  const navigate = useNavigate()
  const onConnected = useCallback(
    (calendarId: string) =>
      void navigate({
        to: '/calendar/$calendarId/settings',
        params: { calendarId },
        search: { tab: 'payments' },
        replace: true,
      }),
    [navigate],
  )
  const onFailed = useCallback(
    () => void navigate({ to: '/dashboard', search: {}, replace: true }),
    [navigate],
  )
  return { onConnected, onFailed }
}
