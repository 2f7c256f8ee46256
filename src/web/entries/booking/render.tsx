import { renderToString } from 'react-dom/server'
import type { BookingPageData, RenderPage } from '#contract/pages/page-data.ts'
import { BookingApp } from './booking-app.tsx'

/** The HTML of a booking page, drawn by the server. The tree must be that of main.tsx, or the browser draws it anew. */
export const render: RenderPage<BookingPageData> = (path, data) =>
  renderToString(<BookingApp inlined={data} address={{ pathname: path, search: '' }} />)
