import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { ConnectCallbackPage } from '#web/areas/payments/accounts/connect-callback-page.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'

const stripeApi = getRouteApi('/stripe-connect-callback')
const paypalApi = getRouteApi('/paypal-connect-callback')

/** The page to which Stripe returns the owner: `/stripe-connect-callback?code=&state=&error=` */
export function StripeConnectCallbackRoute() {
  return <ConnectCallbackPage provider="stripe" callback={stripeApi.useSearch()} {...useWaysOn()} />
}

/** The page to which PayPal returns the owner: `/paypal-connect-callback?code=&state=&error=` */
export function PaypalConnectCallbackRoute() {
  return <ConnectCallbackPage provider="paypal" callback={paypalApi.useSearch()} {...useWaysOn()} />
}

/**
 * Returns functions that open the calendar's payments or the dashboard next. They replace the history entry, because going back
 * to this page would use the code twice. Source: rule F4.
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
