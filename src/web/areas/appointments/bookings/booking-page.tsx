import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type CSSProperties, useState } from 'react'
import type { BookingPageData } from '#contract/pages/page-data.ts'
import { bookingPaths } from '#web/shared/booking-paths.ts'
import { notifyEmbeddingPage } from '#web/shared/embedding.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { BookingForm, preloadConfirmation } from './booking-form.tsx'
import { BookingHeader } from './booking-header.tsx'
import { bookingPageQuery } from './booking-page-query.ts'
import type { ErrorPageProps } from './error-page.tsx'
import { FormattedText } from './formatted-text.tsx'
import { saveBooking } from './saved-booking.ts'
import type { Booked } from './use-booking-form.ts'

type Confirmation = Awaited<ReturnType<typeof preloadConfirmation>>
type BookingPageProps = {
  slug: string
  inlined: BookingPageData | null
  ErrorPage: ComponentType<ErrorPageProps>
}

/** The page `/book/{slug}`: lets a customer book an appointment, then shows the confirmation. Source: rule W8. */
export function BookingPage({ slug, inlined, ErrorPage }: BookingPageProps) {
  const { data, error, refetch } = useQuery(bookingPageQuery(slug, inlined))
  const [booked, setBooked] = useState<(Booked & { Confirmation: Confirmation }) | null>(null)

  if (data === undefined) {
    if (error === null) return <LoadingState text="Loading booking page..." />
    return <ErrorPage failure={{ error, onRetry: refetch }} />
  }
  const { calendar, appointment_types, payment_providers, branding, sandbox } = data
  if (calendar === null) return <ErrorPage />
  const closedText = (calendar.is_paused || appointment_types.length === 0) && calendar.closed_text
  if (booked !== null) {
    return (
      <booked.Confirmation
        appointment={booked.appointment}
        bookingPath={bookingPaths.book(slug)}
        kept={booked}
        withoutEmail={!booked.appointment.confirmation_email_queued}
        takesFocus
      />
    )
  }
  const confirm = async (made: Booked) => {
    // Replace the URL, so that a reload shows the confirmation and Back does not return to a form that would book again.
    const { id } = made.appointment
    // On a calendar's own host, paths do not contain the slug (rule J3).
    saveBooking(
      location.pathname === '/' ? bookingPaths.confirmation(id) : bookingPaths.bookConfirmation(slug, id),
      made,
    )
    const Confirmation = await preloadConfirmation().catch(() => null)
    // If the script of the confirmation cannot be loaded, reload: the new URL shows the confirmation, too.
    if (Confirmation === null) return location.reload()
    setBooked({ ...made, Confirmation })
    scrollTo(0, 0)
    // A booking that still awaits the email code is not complete: do not notify the embedding page yet.
    if (made.appointment.confirm_email_until !== null) return
    notifyEmbeddingPage()
  }
  return (
    <div
      data-look=""
      // React's type does not include custom properties.
      style={branding?.colors as CSSProperties}
      className="booking-columns"
    >
      <BookingHeader calendar={calendar} logo={branding?.logo} serviceCount={appointment_types.length} />
      <FormattedText part="welcome" html={branding?.welcome_html} />
      {closedText ? (
        <p className="py-8 text-center text-lg">{closedText}</p>
      ) : (
        <BookingForm
          calendar={calendar}
          types={appointment_types}
          providers={payment_providers}
          onBooked={confirm}
        />
      )}
      <FormattedText part="footer" html={branding?.footer_html} />
      {sandbox && (
        <p className="text-center text-sm text-ink-soft">
          Sandbox: emails stay in the{' '}
          <a href={bookingPaths.sandboxMail()} className="text-link underline underline-offset-4">
            mailbox of this server
          </a>{' '}
          and no real money moves.
        </p>
      )}
    </div>
  )
}
