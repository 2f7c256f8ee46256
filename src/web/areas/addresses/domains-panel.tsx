import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import type { CalendarDomain } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { normaliseDomain } from '#core/addresses/domain-name.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { FieldPlaceholder } from '#web/kit/loading-shape.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { AddressKindFields } from './address-choice.tsx'
import { CustomDomainCard } from './custom-domain-card.tsx'
import { cacheDomain, calendarAddressesQuery } from './domain-queries.ts'
import { DOMAIN_FIELD_LABELS, useDomainForm } from './use-domain-form.ts'

type DomainsPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined until it has loaded. */
  subscription: SubscriptionResponse | undefined
}

const HEAD = {
  title: 'Domains',
  description: 'Where customers find your booking page. Earlier addresses redirect to the current one.',
} as const

/** Lets the owner choose the address of the booking page: path, subdomain or custom domain. Source: rules I1 and I14. */
export function DomainsPanel({ calendar, subscription }: DomainsPanelProps) {
  const client = useQueryClient()
  const query = useQuery(calendarAddressesQuery(calendar.id))
  const { data: domain } = query
  const publicUrl = domain?.public_url
  // Once the certificate of a new host is ready, the calendar's public URL changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the public URL updates the cache
  useEffect(() => {
    if (domain !== undefined && publicUrl !== calendar.public_url) cacheDomain(client, calendar, domain)
  }, [publicUrl])
  if (domain !== undefined) {
    return <Domains calendar={calendar} domain={domain} subscription={subscription} />
  }
  return (
    <Card {...HEAD}>
      <LoadStatus query={query} loading="Loading domain settings..." failed="Failed to load domain settings">
        <FieldPlaceholder hint />
      </LoadStatus>
    </Card>
  )
}

function Domains({ calendar, domain, subscription }: DomainsPanelProps & { domain: CalendarDomain }) {
  const record = useDomainForm(calendar, domain)
  const { form, save, isEdited, values } = record
  const isGated = values.type === 'custom' && !domain.custom_in_plan
  const [isAsking, setAsking] = useState(false)
  const submit = (event: FormEvent) => {
    if (!givesUpDomain(domain, values)) return save(event)
    event.preventDefault()
    setAsking(true)
  }
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <form noValidate onSubmit={submit} aria-label="Domain settings" className="flex min-w-0 flex-col gap-6">
        <FormNotices record={record} labels={DOMAIN_FIELD_LABELS} />
        <Card {...HEAD}>
          <AddressKindFields
            calendar={calendar}
            domain={domain}
            record={record}
            subscription={subscription}
          />
        </Card>
        {!isGated && (
          <SaveButton className="self-start" isEdited={isEdited} pending={form.formState.isSubmitting}>
            Save domain settings
          </SaveButton>
        )}
      </form>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Stop using ${domain.custom_domain}?`}
        description="Links and emails will use the new address right away. The domain redirects customers there for as long as you keep its DNS records."
        confirmLabel="Change address"
        pendingLabel="Saving..."
        pending={form.formState.isSubmitting}
        onConfirm={() => {
          setAsking(false)
          void save()
        }}
        tone="danger"
      />
      {domain.type === 'custom' && (
        // The key discards the verification result of the previous domain.
        <CustomDomainCard key={domain.custom_domain} calendar={calendar} domain={domain} />
      )}
    </div>
  )
}

/** True when saving would give up a verified domain that customers use. */
function givesUpDomain(
  { type, state, custom_domain }: CalendarDomain,
  values: { readonly type: CalendarDomain['type']; readonly custom_domain: string },
): boolean {
  if (type !== 'custom' || (state !== 'live' && state !== 'failing')) return false
  return values.type !== 'custom' || normaliseDomain(values.custom_domain) !== custom_domain
}
