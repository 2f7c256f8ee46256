import { renderToString } from 'react-dom/server'
import type { BookingPageData, RenderPageOnServer } from '#contract/pages/page-data.ts'
import { ErrorPage } from '#web/areas/appointments/bookings/error-page.tsx'
import { BookingApp } from './booking-app.tsx'

/**
 * Renders the HTML of a booking page on the server. The component tree must equal that of main.tsx, or the browser renders it
 * again.
 */
export const render: RenderPageOnServer<BookingPageData> = (path, data) =>
  renderToString(<BookingApp inlined={data} address={{ pathname: path, search: '' }} ErrorPage={ErrorPage} />)
