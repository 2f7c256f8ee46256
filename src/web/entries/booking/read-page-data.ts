import { type BookingPageData, PAGE_DATA_ID } from '#contract/pages/page-data.ts'

/** Reads the data in the page's HTML. Returns null if the page was served without data (in development, or for another page). */
export function readPageData(): BookingPageData | null {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  return text ? (JSON.parse(text) as BookingPageData) : null // written by our own server with this type
}
