import { renderIntoDocument } from '#web/shared/mount.tsx'
import './booking.css'
import { BookingApp } from './booking-app.tsx'
import { readPageData } from './read-page-data.ts'

renderIntoDocument(<BookingApp inlined={readPageData()} address={location} />)
