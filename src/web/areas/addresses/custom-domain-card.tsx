import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CalendarDomain } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { showDomain } from './domain-queries.ts'
import { DomainRecords } from './domain-records.tsx'
import { describeDomainState } from './domain-words.ts'

type CustomDomainCardProps = { calendar: Calendar; domain: CalendarDomain }

/** A domain of the owner: how it stands, what to set in the DNS, and the look at it. Source: rules I6, I8 and I13. */
export function CustomDomainCard({ calendar, domain }: CustomDomainCardProps) {
  const client = useQueryClient()
  const verification = useMutation({
    mutationFn: () => callApi(at.verifyCalendarDomain, { params: { id: calendar.id } }),
    onSuccess: ({ verified, domain: found }) => {
      showDomain(client, calendar, found)
      if (verified) toast.success('Domain verified!')
      // It works, and the DNS servers did not answer or do not agree: nothing is pending. Source: rule I13.
      else if (isWorking(found))
        toast.info('DNS servers gave no clear answer just now. Your domain keeps working.')
      else toast.error('Domain verification pending. Please check DNS configuration.')
    },
    onError: () => toast.error('Failed to verify domain'),
  })
  const claim = useMutation({
    mutationFn: () =>
      callApi(at.changeCalendarDomain, {
        params: { id: calendar.id },
        body: { type: 'custom', custom_domain: domain.custom_domain ?? '' },
      }),
    onSuccess: (claimed) => {
      showDomain(client, calendar, claimed)
      toast.success('Custom domain added. Please configure DNS records.')
    },
    onError: (error) => toast.error(`Domain operation failed: ${toProblem(error).message}`),
  })
  const standing = describeDomainState(domain)
  const { data, error } = verification
  // The answer to a look says what was found. The domain is read again without a look.
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
        {standing !== null && (
          <Notice tone={standing.tone} title={standing.title} className="w-full">
            {standing.text}
          </Notice>
        )}
        {domain.dns_page !== null && <DnsSandboxNotice page={domain.dns_page} />}
        {records.length > 0 && <DomainRecords records={records} isLooked={looked !== null} />}
        <FormProblem message={error === null ? undefined : toProblem(error).message} className="w-full" />
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

/** Says that no real DNS is asked, and leads to the page on which a person sets records. */
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
      records on a page of this installation.
    </Notice>
  )
}
