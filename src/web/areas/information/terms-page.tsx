import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { HOLD_MS, MAX_HOLD_MS } from '#core/appointments/hold.ts'
import { paths } from '#web/shared/paths.ts'
import { InformationLayout, type InformationSection } from './information-layout.tsx'

/** The page `/terms`: the terms of use, for the owner and for the operator. */
export function TermsPage({ site }: { site: SitePageData }) {
  return (
    <InformationLayout
      title="Terms"
      intro="What you can expect from this service and what it expects from you: first for customers, who book, then for owners, who publish calendars. The laws that protect you where you live take precedence."
      sections={[...(site.sandbox ? [TRIAL] : []), CUSTOMERS, OWNERS, toServiceSection(site)]}
    />
  )
}

const TRIAL: InformationSection = {
  id: 'trial',
  title: 'This is a trial',
  content: (
    <p>
      This site is for trying out Meridian. No real money moves, emails stay in a mailbox on the same server,
      and what you enter may be deleted at any time. Please don’t enter real data.
    </p>
  ),
}

const CUSTOMERS: InformationSection = {
  id: 'customers',
  title: 'For customers',
  content: (
    <>
      <p>
        An appointment is an agreement between you and the practice. This service shows you its free times and
        tells it that you booked; it is not a party to the agreement.
      </p>
      <ul>
        <li>
          Please give your real name and an email address you read. Nobody else can book a time you’ve booked.
        </li>
        <li>
          To cancel, open the link in your confirmation email and request it. The practice will answer.
          Whether it charges for a late cancellation is between you and the practice.
        </li>
        <li>
          While you pay, your time is held for {minutes(HOLD_MS)}, and for up to {minutes(MAX_HOLD_MS)} while
          the payment is in progress. If a payment arrives later and the time is gone, it is refunded.
        </li>
        <li>
          You pay the practice, into its own account at the payment provider. Refunds come from that account,
          too.
        </li>
      </ul>
    </>
  ),
}

const OWNERS: InformationSection = {
  id: 'owners',
  title: 'For owners',
  content: (
    <>
      <p>
        An account is for you or your practice. What it includes is on the{' '}
        <a href={paths.pricing()}>Pricing</a> page.
      </p>
      <ul>
        <li>
          What you publish is yours, and so is the responsibility for it: names, prices, texts, and the rules
          of your profession.
        </li>
        <li>
          You decide what happens to your customers’ data, and you must tell them. Email them only about their
          appointments or what they’ve asked for.
        </li>
        <li>
          Keep your password to yourself, and use two-factor authentication if you hold other people’s
          confidential data.
        </li>
        <li>
          Don’t publish anything illegal, and don’t use the service to deceive or harass others. The operator
          may close accounts that do.
        </li>
        <li>
          You can leave at any time: in your profile, under Account, you can export everything and delete the
          account. We’ll email customers of future appointments. We keep payment records for accounting.
        </li>
      </ul>
    </>
  ),
}

function toServiceSection({ operator }: SitePageData): InformationSection {
  return {
    id: 'service',
    title: 'The service itself',
    content: (
      <>
        <p>
          {operator.name ?? 'The operator'} runs this site with care, but can’t promise that it is never
          interrupted. The software comes without warranty, as its license (AGPL, version 3) says. Keep a copy
          of anything you can’t do without. Owners can export their data at any time.
        </p>
        <p>
          If these terms change, we’ll update this page. For questions, see{' '}
          <a href={INFORMATION_PAGES.contact.path}>{INFORMATION_PAGES.contact.label}</a>.
        </p>
      </>
    ),
  }
}

function minutes(ms: number): string {
  return `${ms / 60_000} minutes`
}
