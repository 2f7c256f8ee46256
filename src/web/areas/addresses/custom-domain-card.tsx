import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CalendarDomain, CheckedDomainRecord } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { cacheDomain } from './domain-queries.ts'
import { describeDomainState, RECORD_VERDICT_LABELS } from './domain-words.ts'

type CustomDomainCardProps = { calendar: Calendar; domain: CalendarDomain }

/**
 * Shows the state of a custom domain and the DNS records to set, and lets the owner verify them. Source: rules I6, I8 and I13.
 */
export function CustomDomainCard({ calendar, domain }: CustomDomainCardProps) {
  const client = useQueryClient()
  const verification = useMutation({
    mutationFn: () => callApi(at.verifyCalendarDomain, { params: { id: calendar.id } }),
    onSuccess: ({ verified, domain: found }) => {
      cacheDomain(client, calendar, found)
      if (verified) toast.success('Domain verified!')
      // The domain is live, but the DNS servers did not respond or gave different responses. Source: rule I13.
      else if (isWorking(found)) toast.info('DNS servers gave no clear answer. Your domain keeps working.')
      else toast.error('Domain verification pending. Please check DNS configuration.')
    },
  })
  const claim = useMutation({
    mutationFn: () =>
      callApi(at.changeCalendarDomain, {
        params: { id: calendar.id },
        body: { type: 'custom', custom_domain: domain.custom_domain ?? '' },
      }),
    onSuccess: (claimed) => {
      cacheDomain(client, calendar, claimed)
      toast.success('Custom domain added. Please configure DNS records.')
    },
    onError: (error) => toast.error(`Domain operation failed: ${toProblem(error).message}`),
  })
  const status = describeDomainState(domain)
  const { data, error } = verification
  // Only the response to a verification contains the records that the DNS servers returned.
  const looked = data?.domain.state === domain.state ? data.domain : null
  const { records } = looked ?? domain
  return (
    <Card
      title="DNS configuration"
      description={
        <>
          For <b className="break-all">{domain.custom_domain}</b>
          {domain.custom_domain_letters !== null && ` (${domain.custom_domain_letters})`}
        </>
      }
    >
      <div className="flex flex-col items-start gap-5">
        {status !== null && (
          <Notice tone={status.tone} title={status.title} className="w-full">
            {status.text}
          </Notice>
        )}
        {domain.dns_page !== null && <DnsSandboxNotice page={domain.dns_page} />}
        {records.length > 0 && <DomainRecords records={records} isLooked={looked !== null} />}
        <FormProblem
          message={error === null ? undefined : `Failed to verify domain: ${toProblem(error).message}`}
          className="w-full"
        />
        {domain.state === 'released' ? (
          <Button pending={claim.isPending} pendingLabel="Adding..." onClick={() => claim.mutate()}>
            Add the domain again
          </Button>
        ) : (
          domain.custom_in_plan && (
            <Button
              variant="primary"
              pending={verification.isPending}
              pendingLabel="Verifying..."
              onClick={() => verification.mutate()}
            >
              Verify Domain
            </Button>
          )
        )}
      </div>
    </Card>
  )
}

function isWorking({ state, failing_since }: CalendarDomain): boolean {
  return state === 'live' && failing_since === null
}

/** Explains that this is a sandbox without real DNS, with a link to the page that sets records. */
function DnsSandboxNotice({ page }: { page: string }) {
  return (
    <Notice
      className="w-full"
      action={
        <ButtonLink size="sm" href={page} target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" className="size-4" />
          Open the DNS page
        </ButtonLink>
      }
    >
      Sandbox: domains below localhost, such as termine.osei.localhost, can be tried here. You set their
      records on a page of this site.
    </Notice>
  )
}

type DomainRecordsProps = {
  records: readonly CheckedDomainRecord[]
  /** True right after a verification, when `found` is up to date. */
  isLooked: boolean
}

/** Shows the DNS records to set, each with the values that a verification found. */
function DomainRecords({ records, isLooked }: DomainRecordsProps) {
  return (
    <ol aria-label="DNS records" className="flex w-full flex-col gap-4">
      {records.map((record) => (
        <li key={record.type} className="rounded-control border border-line p-4">
          <div className="mb-3 flex flex-wrap items-center gap-2">
            <h3 className="font-semibold">{record.type} record</h3>
            {isLooked && (
              <Badge tone={RECORD_VERDICT_LABELS[record.verdict].tone}>
                {RECORD_VERDICT_LABELS[record.verdict].text}
              </Badge>
            )}
          </div>
          <dl className="flex flex-col gap-3">
            <Entry term="Name" values={[record.name]} what={`name of the ${record.type} record`} />
            {record.wanted.length > 0 ? (
              <Entry
                term={toTerm(record)}
                values={record.wanted}
                what={`value of the ${record.type} record`}
              />
            ) : (
              <Entry term="Value" values={[]} what="" none="Please remove this record." />
            )}
            {isLooked && showsFound(record) && (
              <Entry term="Found" values={record.found} what="" none="Nothing" />
            )}
          </dl>
        </li>
      ))}
    </ol>
  )
}

/** True when the values found should be shown: not for a correct record, and not if the DNS servers did not respond. */
function showsFound({ verdict, found }: CheckedDomainRecord): boolean {
  return verdict !== 'correct' && (verdict !== 'unknown' || found.length > 0)
}

/** Returns the label of the values to set. If several addresses are listed, one of them is enough. */
function toTerm({ wanted }: CheckedDomainRecord): string {
  return wanted.length > 1 ? 'Value (one of them, or all)' : 'Value'
}

type EntryProps = {
  term: string
  values: readonly string[]
  /** The end of the copy button's label, which names the copied text. Empty if there is no button. */
  what: string
  /** The text shown if there are no values. */
  none?: string
}

function Entry({ term, values, what, none = '' }: EntryProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{term}</dt>
      {values.length === 0 && <dd>{none}</dd>}
      {values.map((value) => (
        <dd key={value} className="mt-1 flex items-center gap-1 rounded-control bg-sunken ps-3">
          <code className="min-w-0 flex-1 py-2 text-sm break-all">{value}</code>
          {what !== '' && <CopyButton text={value} label={`Copy the ${what}`} done="Copied to clipboard!" />}
        </dd>
      ))}
    </div>
  )
}
