import { useQueryClient } from '@tanstack/react-query'
import { type Branding, type BrandingForm, brandingFormSchema } from '#contract/calendars/branding.ts'
import * as at from '#contract/operations/addresses.ts'
import { toPartialUpdate } from '#web/kit/changed-fields.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { brandingQuery } from './branding-queries.ts'

export const BRANDING_FIELD_LABELS = {
  logo_url: 'Logo address',
  logo_hash: 'Logo',
  own_colors: 'Use your own colours',
  primary_color: 'Primary colour',
  secondary_color: 'Secondary colour',
  welcome_message: 'Welcome message',
  footer_text: 'Footer text',
  custom_css: 'Custom CSS',
} as const

export type BrandingFormState = ReturnType<typeof useBrandingForm>

/** Manages the form of a calendar's branding. Source: rule K1. */
export function useBrandingForm(calendarId: string, stored: Branding) {
  const client = useQueryClient()
  const { queryKey } = brandingQuery(calendarId)
  return useRecordForm<Branding, BrandingForm>({
    stored,
    draftKey: `branding:${calendarId}`,
    schema: brandingFormSchema,
    show: toForm,
    fields: [
      'logo_url',
      'own_colors',
      'primary_color',
      'secondary_color',
      'welcome_message',
      'footer_text',
      'custom_css',
    ],
    send: async (values, shown) => {
      const { changes, was } = toPartialUpdate<BrandingForm, BrandingForm>(values, toForm(shown))
      const saved = await callApi(at.updateBranding, {
        params: { id: calendarId },
        body: { ...changes, was },
      })
      client.setQueryData(queryKey, saved)
      return saved
    },
    readAgain: () => client.fetchQuery({ ...brandingQuery(calendarId), staleTime: 0 }),
    onSaved: () => toast.success('Branding settings saved successfully'),
    failed: () => 'Failed to save branding settings',
  })
}

function toForm({ logo, ...settings }: Branding): BrandingForm {
  return { ...settings, logo_hash: logo?.hash ?? null }
}
