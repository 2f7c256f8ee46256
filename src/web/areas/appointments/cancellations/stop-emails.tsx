import { useEffect, useRef, useState } from 'react'
import { EMAIL_LINK_TOKEN_PREFIX } from '#contract/messages/email-link-mark.ts'
import * as at from '#contract/operations/addresses.ts'
import { PageMessage } from '#web/areas/appointments/bookings/page-message.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

type Choice = 'asked' | 'stopped' | 'allowed'

const WORDS: Record<Choice, { readonly heading: string; readonly text: string }> = {
  asked: {
    heading: 'Stop these emails',
    text: 'Did somebody else book with your address? Press the button to stop all booking emails to it.',
  },
  stopped: {
    heading: 'Emails stopped',
    text: 'For a year, we won’t send booking emails to your address, not even for your own bookings. You can allow them again here, or with the link in any email about an appointment.',
  },
  allowed: {
    heading: 'Emails allowed',
    text: 'You’ll get emails about appointments again.',
  },
}

/**
 * The page `/cancel/emails`: lets people whose email address somebody else has used stop emails about appointments, and
 * allow them again. Source: rule E7.
 */
export function UnsubscribeSection() {
  const [link] = useState(readEmailLink)
  const [standing, setStanding] = useState<Choice>('asked')
  const [isPending, setPending] = useState(false)
  const headingRef = useRef<HTMLHeadingElement>(null)
  const { heading, text } = WORDS[standing]
  useEffect(() => {
    document.title = `${heading} · Meridian`
  }, [heading])
  if (link === null) {
    return (
      <PageMessage title="Link incomplete" hint="Please open it again from the email.">
        <ButtonLink href={paths.home()}>Go Home</ButtonLink>
      </PageMessage>
    )
  }

  const isStopped = standing === 'stopped'
  const change = async () => {
    setPending(true)
    try {
      await callApi(isStopped ? at.answerEmail : at.stopEmails, { body: { link } })
      setStanding(isStopped ? 'allowed' : 'stopped')
      headingRef.current?.focus()
    } catch (problem) {
      toast.error(problem instanceof ApiProblem ? problem.message : 'Something went wrong. Please try again.')
    } finally {
      setPending(false)
    }
  }
  return (
    <section className="grid gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
      <div>
        <h1 ref={headingRef} tabIndex={-1} className="rounded-sm text-3xl sm:text-4xl">
          {heading}
        </h1>
        <p className="mt-2 max-w-[65ch] text-ink-soft">{text}</p>
        {!isStopped && (
          <p className="mt-2 max-w-[65ch] text-ink-soft">
            Existing appointments stay booked. Please contact the practice about them.
          </p>
        )}
      </div>
      <div>
        <Button
          variant={isStopped ? 'secondary' : 'primary'}
          pending={isPending}
          pendingLabel={isStopped ? 'Allowing...' : 'Stopping...'}
          // Ignore the second click of a double click, because it would undo the first.
          onClick={({ detail }) => void (detail < 2 && change())}
        >
          {isStopped ? 'Allow emails again' : 'Stop emails'}
        </Button>
      </div>
    </section>
  )
}

/** Reads the emailed link's secret from the URL's fragment; null if it is missing. */
function readEmailLink(): string | null {
  return location.hash.startsWith(EMAIL_LINK_TOKEN_PREFIX)
    ? location.hash.slice(EMAIL_LINK_TOKEN_PREFIX.length)
    : null
}
