import { EMBED_PARAM } from '#contract/pages/page-data.ts'

/** Adds the embed parameter to a path of the booking entry if this page is embedded in another website. */
export function withEmbedParam(path: string): string {
  if (!location.search.includes(EMBED_PARAM)) return path
  return `${path}${path.includes('?') ? '&' : '?'}${EMBED_PARAM}`
}

/** Reports a booking to the embedding website: `embed/frame.ts` listens for this event. Source: rule W21. */
export function notifyEmbeddingPage(): void {
  dispatchEvent(new Event('meridian:booked'))
}
