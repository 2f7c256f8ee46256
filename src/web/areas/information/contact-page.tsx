import type { SitePageData } from '#contract/pages/page-data.ts'
import { OperatorBlock } from '#web/shared/operator-block.tsx'
import { paths } from '#web/shared/paths.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ContactForm } from './contact-form.tsx'

/** The page `/contact`: shows how to reach the operator. */
export function ContactPage({ site }: { site: SitePageData }) {
  return (
    <main className="mx-auto w-full max-w-6xl flex-1 px-4 py-12 sm:px-6 lg:py-16">
      <h1 className="text-4xl sm:text-5xl">Contact</h1>
      <p className="mt-4 max-w-[65ch] text-lg text-ink-soft">
        Questions about this service, an account or your data?{' '}
        {site.contact_form ? 'Write to the people who run it.' : 'Please ask the people who run it.'}
      </p>
      <div className="mt-8 grid gap-8 lg:mt-10 lg:grid-cols-[minmax(0,65ch)_minmax(0,1fr)] lg:gap-12">
        {site.contact_form ? (
          <Card title="Send a message" className="self-start">
            <ContactForm />
          </Card>
        ) : (
          <Card title="Messages aren’t available" className="self-start">
            <p>The operator of this site hasn’t given an email address, so you can’t send messages here.</p>
          </Card>
        )}
        <div className="grid content-start gap-8">
          <section aria-labelledby="operator">
            <h2 id="operator" className="text-xl">
              {site.contact_form ? 'Who reads it' : 'Who runs it'}
            </h2>
            <OperatorBlock site={site} className="mt-2" />
          </section>
          <section aria-labelledby="about-an-appointment">
            <h2 id="about-an-appointment" className="text-xl">
              About an appointment
            </h2>
            <p className="mt-2 text-ink-soft">
              Please ask the practice you booked with: just reply to your confirmation email. You can also
              request a cancellation with the link in it.
            </p>
          </section>
          {site.mailbox && (
            <Notice title="Sandbox">
              Without a mail server, messages go to the{' '}
              <a href={paths.sandboxMail()} className="text-link underline underline-offset-4">
                mailbox
              </a>{' '}
              of this site instead of being sent.
            </Notice>
          )}
        </div>
      </div>
    </main>
  )
}
