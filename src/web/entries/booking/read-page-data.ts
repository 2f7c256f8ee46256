import { type BookingPageData, PAGE_DATA_ID } from '#contract/pages/page-data.ts'

/** The data that came with the HTML, or null when the page was served without (development, another page). */
export function readPageData(): BookingPageData | null {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  return text ? (JSON.parse(text) as BookingPageData) : null // written by our own server, of this very type
}
