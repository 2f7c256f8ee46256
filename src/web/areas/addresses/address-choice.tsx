import { Controller } from 'react-hook-form'
import type { CalendarDomain } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { looksLikeDomain } from '#core/addresses/domain-name.ts'
import { PlanGate } from '#web/kit/plan-gate.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup, type RadioOption } from '#web/ui/radio-group.tsx'
import { describeCertificate } from './domain-words.ts'
import { DOMAIN_FIELD_LABELS, type DomainForm } from './use-domain-form.ts'

type AddressChoiceProps = {
  calendar: Calendar
  domain: CalendarDomain
  record: DomainForm
  subscription: SubscriptionResponse | undefined
}

/** Lets the owner choose the kind of address, and fill in the field for that kind. */
export function AddressKindFields({ calendar, domain, record, subscription }: AddressChoiceProps) {
  const { form, values } = record
  const isGated = !domain.custom_in_plan && subscription !== undefined
  return (
    <div className="flex flex-col gap-5">
      <Controller
        control={form.control}
        name="type"
        render={({ field }) => (
          <RadioGroup
            legend={DOMAIN_FIELD_LABELS.type}
            options={toOptions(domain)}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
      {values.type === 'path' && <PathField calendar={calendar} record={record} />}
      {values.type === 'subdomain' && <SubdomainText domain={domain} />}
      {values.type === 'custom' && isGated && (
        <PlanGate feature="Custom domain" subscription={subscription}>
          {domain.type === 'custom' && (
            <p>Your domain redirects to your booking link until your plan includes custom domains again.</p>
          )}
        </PlanGate>
      )}
      {values.type === 'custom' && domain.custom_in_plan && <DomainField record={record} />}
    </div>
  )
}

function SubdomainText({ domain }: Pick<AddressChoiceProps, 'domain'>) {
  const isChosen = domain.type === 'subdomain'
  const missing = isChosen ? describeCertificate('subdomain', domain.certificate) : null
  return (
    <>
      <p>
        Your booking page {isChosen && missing === null ? 'is' : 'will be'} at{' '}
        <b className="break-all">{domain.subdomain}</b>. It comes from the calendar’s name.
      </p>
      {missing !== null && (
        <Notice tone={missing.tone} title={missing.title}>
          {missing.text}
        </Notice>
      )}
    </>
  )
}

function toOptions({ offers_custom, offers_subdomain, type }: CalendarDomain) {
  const options: (RadioOption<CalendarDomain['type']> & { isOffered: boolean })[] = [
    { value: 'path', label: 'Path', hint: 'A page on this site.', isOffered: true },
    {
      value: 'subdomain',
      label: 'Subdomain',
      hint: 'A name of its own on this site, with no setup.',
      isOffered: offers_subdomain || type === 'subdomain',
    },
    {
      value: 'custom',
      label: 'Custom domain',
      hint: 'A domain you’ve registered yourself.',
      isOffered: offers_custom || type === 'custom',
    },
  ]
  return options.filter(({ isOffered }) => isOffered)
}

const NO_HELP = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

function PathField({ calendar, record }: Pick<AddressChoiceProps, 'calendar' | 'record'>) {
  const { form, values } = record
  const word = values.path.trim().toLowerCase() || calendar.slug
  return (
    <TextField
      {...NO_HELP}
      label={DOMAIN_FIELD_LABELS.path}
      placeholder={calendar.slug}
      maxLength={LIMITS.slug}
      hint={`Your booking page is at ${window.location.origin}/book/${word}. The booking link ${calendar.slug} keeps working.`}
      error={form.formState.errors.path?.message}
      {...form.register('path')}
    />
  )
}

/**
 * Lets the owner type a custom domain. The check of its format is only advice: the form can still be saved, and the server
 * decides.
 */
function DomainField({ record }: Pick<AddressChoiceProps, 'record'>) {
  const { form, values } = record
  const isEmpty = values.custom_domain.trim() === ''
  const isGood = !isEmpty && looksLikeDomain(values.custom_domain)
  return (
    <TextField
      {...NO_HELP}
      inputMode="url"
      label={DOMAIN_FIELD_LABELS.custom_domain}
      placeholder="book.yourdomain.com"
      maxLength={LIMITS.domain}
      hint={
        isGood
          ? 'Valid domain format'
          : 'Please enter a valid domain (e.g., yourdomain.com or book.yourdomain.com)'
      }
      error={form.formState.errors.custom_domain?.message}
      {...form.register('custom_domain')}
    />
  )
}
