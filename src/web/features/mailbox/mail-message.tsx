import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import type { Mail } from '#contract/mailbox.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { MailAttachments } from './mail-attachments.tsx'
import { mailQuery } from './mail-queries.ts'
import { MailTime } from './mail-time.tsx'

type View = 'html' | 'text' | 'attachments'
type MailMessageProps = { id: string; onBack: () => void }

/** One mail as its reader would see it, as plain text, and what is attached. */
export function MailMessage({ id, onBack }: MailMessageProps) {
  const { data: mail, error, refetch } = useQuery(mailQuery(id))
  return (
    <article aria-label="Mail" className="min-w-0 rounded-card border border-line bg-surface p-4 sm:p-6">
      <Button variant="ghost" size="sm" className="mb-3 -ms-2 md:hidden" onClick={onBack}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        All mails
      </Button>
      {mail === undefined && error === null && <LoadingState text="Loading mail..." />}
      {mail === undefined && error !== null && (
        <ErrorState title="Failed to load mail" hint={error.message} onRetry={() => refetch()} />
      )}
      {mail !== undefined && <MailContent mail={mail} />}
    </article>
  )
}

function MailContent({ mail }: { mail: Mail }) {
  const [view, setView] = useState<View>('html')
  return (
    <>
      <h2 className="text-xl font-semibold break-words">{mail.subject}</h2>
      <dl className="mt-2 mb-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
        <dt className="text-ink-soft">To</dt>
        <dd className="break-all">{mail.to}</dd>
        <dt className="text-ink-soft">From</dt>
        <dd className="break-all">{mail.from}</dd>
        {mail.reply_to !== null && (
          <>
            <dt className="text-ink-soft">Reply to</dt>
            <dd className="break-all">{mail.reply_to}</dd>
          </>
        )}
        <dt className="text-ink-soft">When</dt>
        <dd>
          <MailTime at={mail.created_at} />
        </dd>
      </dl>
      <Tabs<View>
        label="Parts of the mail"
        value={view}
        onChange={setView}
        tabs={[
          {
            id: 'html',
            label: 'HTML',
            panel: (
              // No scripts and no origin; links open in a new tab, outside the sandbox.
              <iframe
                title={`HTML of “${mail.subject}”`}
                src={`/api/sandbox/mails/${encodeURIComponent(mail.id)}/html`}
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                className="h-[70vh] w-full rounded-control border border-line bg-white"
              />
            ),
          },
          {
            id: 'text',
            label: 'Text',
            panel: <pre className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">{mail.text}</pre>,
          },
          {
            id: 'attachments',
            label: `Attachments (${mail.attachments.length})`,
            panel: <MailAttachments attachments={mail.attachments} />,
          },
        ]}
      />
    </>
  )
}
