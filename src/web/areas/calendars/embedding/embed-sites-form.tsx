import { useQueryClient } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { z } from 'zod'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { toAsciiWebsiteUrl } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { toEmbedSite } from '#core/calendars/embed-site.ts'
import { reloadCalendar, updateCachedCalendar } from '#web/kit/calendar-cache.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { listTypedLines } from '#web/shared/typed-lines.ts'
import { TextArea } from '#web/ui/field.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { toast } from '#web/ui/toast.tsx'

const LABELS = { who: 'Websites that can show your booking page', sites: 'Websites' } as const

const WHO = [
  { value: 'any', label: 'Any website', hint: 'Anyone can show your booking page.' },
  { value: 'listed', label: 'Only these websites' },
] as const

/** The values of the form. `sites` has one website per line. */
const sitesForm = z.object({
  who: z.enum(['any', 'listed']),
  sites: z
    .string()
    .refine((text) => listSites(text).every((line) => toEmbedSite(toAsciiWebsiteUrl(line)) !== null), {
      error: PROBLEMS['calendar.embed_site_invalid'].title,
    })
    .refine((text) => listSites(text).length <= LIMITS.embedSites, {
      error: PROBLEMS['calendar.embed_sites_too_many'].title,
    }),
})
type SitesForm = z.infer<typeof sitesForm>

/** Lets the owner choose the websites that may embed the booking page. Source: rule W19. */
export function EmbedSitesForm({ calendar }: { calendar: Calendar }) {
  const client = useQueryClient()
  const record = useRecordForm<Calendar, SitesForm>({
    stored: calendar,
    draftKey: `embed-sites:${calendar.id}`,
    schema: sitesForm,
    show: ({ embed_sites }) => ({
      who: embed_sites === null ? 'any' : 'listed',
      sites: embed_sites?.join('\n') ?? '',
    }),
    keepFor: 'login',
    send: async ({ who, sites }, shown) => {
      const embed_sites = who === 'any' ? null : listSites(sites)
      const body = { embed_sites, was: { embed_sites: shown.embed_sites } }
      const changed = await callApi(at.updateCalendar, { params: { id: calendar.id }, body })
      updateCachedCalendar(client, changed)
      return changed
    },
    readAgain: () => reloadCalendar(client, calendar),
    onSaved: () => toast.success('Websites saved'),
    failed: (sentence) => `Failed to save the websites: ${sentence}`,
  })
  const { form, values, save, isEdited } = record
  const { control, register, formState } = form
  return (
    <form noValidate onSubmit={save} aria-label={LABELS.who} className="flex flex-col gap-4">
      <FormNotices record={record} labels={LABELS} />
      <Controller
        control={control}
        name="who"
        render={({ field }) => (
          <RadioGroup legend={LABELS.who} options={WHO} value={field.value} onChange={field.onChange} />
        )}
      />
      {values.who === 'listed' && (
        <TextArea
          label={LABELS.sites}
          hint={
            listSites(values.sites).length === 0
              ? 'One per line, such as https://www.example.com. If empty, no website can show it.'
              : 'One per line. Addresses with and without “www.” are different websites.'
          }
          error={formState.errors.sites?.message}
          autoComplete="off"
          spellCheck={false}
          {...register('sites')}
        />
      )}
      <SaveButton className="self-start" isEdited={isEdited} pending={formState.isSubmitting}>
        Save websites
      </SaveButton>
    </form>
  )
}

function listSites(text: string): string[] {
  return listTypedLines(text).map(toAscii)
}

/** Converts a website with an internationalised host to its ASCII origin (A-labels), the only form that is stored. */
function toAscii(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches all of ASCII
  if (/^[\u0000-\u007f]*$/.test(line)) return line
  const address = line.includes('://') ? line : `https://${line}`
  return URL.canParse(address) ? new URL(address).origin : line
}
