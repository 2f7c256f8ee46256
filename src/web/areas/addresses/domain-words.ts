import type { CalendarDomain, CheckedDomainRecord } from '#contract/addresses/domains.ts'
import { browserTimeZone, formatLongDate, localDateOf } from '#web/shared/format-date.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import type { Tone } from '#web/ui/tones.tsx'

type StatusText = { readonly tone: Tone; readonly title: string; readonly text: string }

/** Describes the state of a custom domain. Returns null if the calendar has none. Source: rules I8, I9, I10, I11 and I16. */
export function describeDomainState(domain: CalendarDomain): StatusText | null {
  const { state, failing_since, kept_until, custom_in_plan, certificate } = domain
  switch (state) {
    case 'pending':
      return {
        tone: 'info',
        title: 'Waiting for your DNS records',
        text: 'Set the records below where your domain is registered. Changes take 5 to 30 minutes. Until then, customers use your booking link.',
      }
    case 'live':
      if (failing_since !== null) {
        return {
          tone: 'warning',
          title: 'Your domain doesn’t point here',
          text: `Since ${toDay(failing_since)} its records have pointed elsewhere, so we use your booking link. Please restore them: after 7 days, we’ll stop using the domain.`,
        }
      }
      if (!custom_in_plan) {
        return {
          tone: 'warning',
          title: 'Your domain isn’t in use',
          text: 'It redirects to your booking link, because your plan has no custom domains.',
        }
      }
      return (
        describeCertificate('domain', certificate) ?? {
          tone: 'success',
          title: 'Your domain is live',
          text: 'Customers book there, and emails link to it. Its certificate (SSL) is created automatically.',
        }
      )
    case 'failing':
      return {
        tone: 'danger',
        title: 'Your domain is no longer used',
        text: `It hasn’t pointed here since ${toDay(failing_since)}. Restore its records and verify it. We’ll reserve it for you until ${toDay(kept_until)}.`,
      }
    case 'released':
      return {
        tone: 'danger',
        title: 'This calendar no longer has the domain',
        text: 'Somebody else verified it, or it didn’t point here for too long. You can add it again and verify it.',
      }
    case null:
      return null
  }
}

/** Explains why links do not use the host yet. Returns null once the host's certificate is ready. Source: rule I16. */
export function describeCertificate(
  name: 'domain' | 'subdomain',
  certificate: CalendarDomain['certificate'],
): StatusText | null {
  switch (certificate) {
    case 'pending':
      return {
        tone: 'info',
        title: 'The certificate is on its way',
        text: `Your ${name} is set up. Its certificate (SSL) takes a few minutes. Until then, we use your booking link.`,
      }
    case 'failed':
      return {
        tone: 'warning',
        title: `Your ${name} has no certificate yet`,
        text: `Browsers would warn your customers, so we use your booking link. We’ll try again automatically.${
          name === 'domain'
            ? ' If your domain has CAA records, they must allow our certificate authority.'
            : ''
        }`,
      }
    case 'ready':
    case null:
      return null
  }
}

function toDay(instant: string | null): string {
  return instant === null ? '' : formatLongDate(localDateOf(instant, browserTimeZone()))
}

/** The text and tone for the result of checking one DNS record. Source: rule I13. */
export const RECORD_VERDICT_LABELS = {
  correct: { tone: 'success', text: 'Correct' },
  missing: { tone: 'warning', text: 'Not found' },
  wrong: { tone: 'danger', text: 'Different' },
  spreading: { tone: 'info', text: 'Still spreading' },
  unknown: { tone: 'neutral', text: 'No answer' },
} as const satisfies Record<CheckedDomainRecord['verdict'], { tone: BadgeTone; text: string }>
