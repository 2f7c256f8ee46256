import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { type BookingPageData, PREVIEW_PARAM } from '#contract/pages/page-data.ts'
import { BookingPage } from '#web/areas/appointments/bookings/booking-page.tsx'
import { BookingNavigation } from '#web/shared/booking-navigation.tsx'
import { PageNotFound } from '#web/shared/page-not-found.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import { type BookingRoute, findRoute } from './find-route.ts'
import { makeBookingQueryClient } from './make-query-client.ts'

/**
 * These pages are separate chunks, so that the booking page does not download them. The code uses `then`, because it compiles to
 * less code than an async function.
 */
const ConfirmationPage = lazy(() =>
  import('#web/areas/appointments/bookings/confirmation-page.tsx').then((part) => ({
    default: part.ConfirmationPage,
  })),
)
const LinkPages = lazy(() => import('./link-part.tsx').then((part) => ({ default: part.LinkPages })))
const PaymentPage = lazy(() =>
  import('#web/areas/appointments/bookings/payment-part.ts').then((part) => ({ default: part.PaymentPage })),
)

type BookingAppProps = {
  inlined: BookingPageData | null
  address: { pathname: string; search: string }
}

/** The customer's pages: booking, payment, confirmation, cancellation, and managing an appointment. */
export function BookingApp({ inlined, address }: BookingAppProps) {
  const [client] = useState(makeBookingQueryClient)
  // Read once: after a booking the URL changes, but the page stays mounted.
  const [route] = useState(() => findRoute(address))
  useEffect(() => {
    if (address.search === `?${PREVIEW_PARAM}`)
      void import('#web/areas/appointments/bookings/show-preview-messages.ts').then((part) =>
        part.showPreviewMessages(client),
      )
  }, [address, client])
  return (
    <QueryClientProvider client={client}>
      <BookingNavigation />
      {route === null ? (
        <PageNotFound path={address.pathname} />
      ) : (
        <main className="booking-main">
          <Suspense fallback={<LoadingState text="Loading your appointment..." />}>
            <Page route={route} inlined={inlined} />
          </Suspense>
        </main>
      )}
      <Toaster />
    </QueryClientProvider>
  )
}

function Page({ route, inlined }: { route: BookingRoute; inlined: BookingPageData | null }) {
  switch (route.page) {
    case 'book':
      // The URL may have an old slug, or none.
      return <BookingPage slug={inlined?.calendar?.slug ?? route.slug} inlined={inlined} />
    case 'confirmation':
      return <ConfirmationPage slug={route.slug} appointmentId={route.appointmentId} />
    case 'cancel':
    case 'manage':
    case 'waiting':
      return <LinkPages {...route} />
    default:
      return <PaymentPage {...route} />
  }
}
