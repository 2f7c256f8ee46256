import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './booking.css'
import { BookingApp } from './booking-app.tsx'
import { readPageData } from './read-page-data.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <BookingApp inlined={readPageData()} />
  </StrictMode>,
)
