import { EMBED_PARAM } from '#contract/pages/page-data.ts'

/** The address of a booking page, or of its confirmation, that stays in the frame of another site where this page is in one. */
export function keepEmbedded(path: string): string {
  if (!location.search.includes(EMBED_PARAM)) return path
  return `${path}${path.includes('?') ? '&' : '?'}${EMBED_PARAM}`
}
