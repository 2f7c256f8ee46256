import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { type CalendarDomain, changeDomainBody } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { cacheDomain, calendarAddressesQuery } from './domain-queries.ts'

const domainForm = z.object({
  type: changeDomainBody.shape.type,
  path: changeDomainBody.shape.path.unwrap(),
  custom_domain: changeDomainBody.shape.custom_domain.unwrap(),
})

type DomainValues = z.input<typeof domainForm>

export type DomainForm = ReturnType<typeof useDomainForm>

/** The labels of the fields, which notices use as well. */
export const DOMAIN_FIELD_LABELS = {
  type: 'Address of your booking page',
  path: 'Path',
  custom_domain: 'Custom domain',
} as const satisfies Record<keyof DomainValues, string>

/** Manages the form of a calendar's address. Source: rule I1. */
export function useDomainForm(calendar: Calendar, domain: CalendarDomain) {
  const client = useQueryClient()
  return useRecordForm<CalendarDomain, DomainValues>({
    stored: domain,
    draftKey: `domain:${calendar.id}`,
    schema: domainForm,
    show: ({ type, path, custom_domain }) => ({
      type,
      path: path ?? '',
      custom_domain: custom_domain ?? '',
    }),
    send: async ({ type, path, custom_domain }) => {
      const body = { type, path, ...(type === 'custom' && { custom_domain }) }
      const saved = await callApi(at.changeCalendarDomain, { params: { id: calendar.id }, body })
      cacheDomain(client, calendar, saved)
      return saved
    },
    readAgain: () => client.fetchQuery({ ...calendarAddressesQuery(calendar.id), staleTime: 0 }),
    onSaved: (saved) => toast.success(toSaved(saved)),
    failed: (sentence) =>
      domain.type === 'path'
        ? `Domain operation failed: ${sentence}`
        : `Error updating domain settings: ${sentence}`,
  })
}

function toSaved({ type, subdomain }: CalendarDomain): string {
  if (type === 'subdomain') return `Subdomain configured: ${subdomain}`
  if (type === 'custom') return 'Custom domain added. Please configure DNS records.'
  return 'Domain settings updated successfully'
}
