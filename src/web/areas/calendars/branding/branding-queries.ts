import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BrandingForm, BrandingPreview } from '#contract/calendars/branding.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Loads a calendar's branding. */
export function brandingQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'branding', calendarId],
    queryFn: ({ signal }) => callApi(at.getBranding, { params: { id: calendarId }, signal }),
    retry: retryOnce,
  })
}

/** The branding values in the preview. The logo's URL is not among them, because the server fetches it only on request. */
export type PreviewedBranding = Omit<BrandingForm, 'logo_url'>

/** Loads the branding as visitors would see it. Keeps the previous preview while the next one loads. */
export function brandingPreviewQuery(calendarId: string, look: PreviewedBranding) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'branding-preview', calendarId, look],
    queryFn: ({ signal }): Promise<BrandingPreview> =>
      callApi(at.previewBranding, { params: { id: calendarId }, body: look, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  })
}
