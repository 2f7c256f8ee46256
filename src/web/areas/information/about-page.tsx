import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { OperatorBlock } from '#web/shared/operator-block.tsx'
import { InformationLayout, type InformationSection } from './information-layout.tsx'

/** The page `/about`: describes Meridian and names the operator of this installation. */
export function AboutPage({ site }: { site: SitePageData }) {
  return (
    <InformationLayout
      title="About Meridian"
      intro="Meridian lets people book an appointment with a practice, a studio or a workshop, and lets whoever works there keep the day in order. It is free software that anybody can run; here you read what it does and who runs it on this address."
      sections={[...PRODUCT, toOperatorSection(site)]}
    />
  )
}

const PRODUCT: readonly InformationSection[] = [
  {
    id: 'what-it-does',
    title: 'What it does',
    content: (
      <>
        <p>
          An owner publishes a calendar: its opening hours, the appointment types that can be booked, and a
          location or an online appointment. The calendar has a booking link. Whoever opens it sees the times
          that are free at this very moment, and books one without an account.
        </p>
        <p>
          Both sides get a confirmation with an entry for their own calendar. Owners see their appointments as
          a list, a day or a week, answer requests to cancel, send reminders and, if they wish, take payments.
        </p>
      </>
    ),
  },
  {
    id: 'the-name',
    title: 'The name',
    content: (
      <p>
        A meridian is the line that the sun crosses at noon; before it is morning, after it afternoon. Every
        place has its own, which is why a time means little without its time zone. Booking pages and emails
        say which one a time is on.
      </p>
    ),
  },
  {
    id: 'what-it-leaves-alone',
    title: 'What it leaves alone',
    content: (
      <>
        <p>
          There is no advertising here, no analytics and no profile of you. Pages load nothing from other
          websites: no scripts, no fonts, no pictures.
        </p>
        <p>
          What is stored, and for how long, is on the page{' '}
          <a href={INFORMATION_PAGES.privacy.path}>{INFORMATION_PAGES.privacy.label}</a>.
        </p>
      </>
    ),
  },
  {
    id: 'free-software',
    title: 'Free software',
    content: (
      <p>
        Meridian is under the GNU Affero General Public License, version 3: anybody may use it, study it,
        change it and pass it on. You may ask the operator for the source code of the version that runs here.
        Programs can use it too; how is in the <a href="/api/docs">description of its interface</a>.
      </p>
    ),
  },
]

function toOperatorSection(site: SitePageData): InformationSection {
  return {
    id: 'operator',
    title: 'Who runs this installation',
    content: (
      <>
        <OperatorBlock site={site} className="mt-4" />
        <p>
          The operator looks after the machine, the emails and the accounts on it. The appointments are
          between you and the practice you book with. <a href={INFORMATION_PAGES.contact.path}>Contact</a>
        </p>
      </>
    ),
  }
}
