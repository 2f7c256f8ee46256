import { mount } from '#web/shared/mount.tsx'
import './booking.css'
import { BookingApp } from './booking-app.tsx'
import { readPageData } from './read-page-data.ts'

mount(<BookingApp inlined={readPageData()} address={location} />)
