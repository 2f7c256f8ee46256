import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { type BookingPageData, PREVIEW_PARAM } from '#contract/pages/page-data.ts'
import { BookingPage } from '#web/areas/appointments/bookings/booking-page.tsx'
import type { ErrorPageProps } from '#web/areas/appointments/bookings/error-page.tsx'
import { BookingNavigation } from '#web/shared/booking-navigation.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
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

type PageProps = {
  inlined: BookingPageData | null
  /** The server renders it at once; a browser downloads it only when it is needed, and keeps the server's HTML until then. */
  ErrorPage: ComponentType<ErrorPageProps>
}
export type BookingAppProps = PageProps & { address: { pathname: string; search: string } }

/** The customer's pages: booking, payment, confirmation, cancellation, and managing an appointment. */
export function BookingApp({ inlined, ErrorPage, address }: BookingAppProps) {
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
        <Suspense fallback={null}>
          <ErrorPage unknownPath={address.pathname} />
        </Suspense>
      ) : (
        <main className="booking-main">
          <Suspense fallback={<LoadingState text="Loading your appointment..." />}>
            <Page route={route} inlined={inlined} ErrorPage={ErrorPage} />
          </Suspense>
        </main>
      )}
      <Toaster />
    </QueryClientProvider>
  )
}

function Page({ route, ...props }: PageProps & { route: BookingRoute }) {
  switch (route.page) {
    case 'book':
      // The URL may have an old slug, or none.
      return <BookingPage {...props} slug={props.inlined?.calendar?.slug ?? route.slug} />
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
