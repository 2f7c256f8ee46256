import { lazy } from 'react'
import { renderIntoDocument } from '#web/shared/mount.tsx'
import './booking.css'
import { BookingApp } from './booking-app.tsx'
import { readPageData } from './read-page-data.ts'

const ErrorPage = lazy(() =>
  import('#web/areas/appointments/bookings/error-page.tsx').then((part) => ({ default: part.ErrorPage })),
)

renderIntoDocument(<BookingApp inlined={readPageData()} address={location} ErrorPage={ErrorPage} />)
