import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { OperatorBlock } from '#web/shared/operator-block.tsx'
import { InformationLayout, type InformationSection } from './information-layout.tsx'

/** The page `/about`: describes Meridian and names the operator of this installation. */
export function AboutPage({ site }: { site: SitePageData }) {
  return (
    <InformationLayout
      title="About Meridian"
      intro="Meridian lets people book appointments with a practice, a studio or a workshop, and helps the people who work there run their day. It’s free software that anyone can run. This page explains what it does and who runs this site."
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
          location or an online appointment. The calendar has a booking link. Anyone who opens it sees the
          times that are free right now, and can book one without an account.
        </p>
        <p>
          Both sides get a confirmation with an entry for their own calendar. Owners see their appointments as
          a list, a day or a week. They answer cancellation requests, send reminders and, if they like, take
          payments.
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
        always say which time zone a time is in.
      </p>
    ),
  },
  {
    id: 'what-it-leaves-alone',
    title: 'What it doesn’t do',
    content: (
      <>
        <p>
          There is no advertising, no analytics and no profile of you. Pages load nothing from other websites:
          no scripts, no fonts, no pictures.
        </p>
        <p>
          To see what is stored, and for how long, read{' '}
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
        Meridian is licensed under the GNU Affero General Public License, version 3: anyone may use, study,
        change and share it. You can ask the operator for the source code of the version that runs here.
        Programs can use it, too. See the <a href="/api/docs">API description</a>.
      </p>
    ),
  },
]

function toOperatorSection(site: SitePageData): InformationSection {
  return {
    id: 'operator',
    title: 'Who runs this site',
    content: (
      <>
        <OperatorBlock site={site} className="mt-4" />
        <p>
          The operator looks after the server, its emails and accounts. Appointments are between you and the
          practice you book with. <a href={INFORMATION_PAGES.contact.path}>Contact</a>
        </p>
      </>
    ),
  }
}
