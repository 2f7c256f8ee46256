import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Mail, MailContent } from '#contract/mailbox.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ArrowLeft } from '#web/ui/icons/arrow-left.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { MailAttachments } from './mail-attachments.tsx'
import { MailFrame } from './mail-frame.tsx'
import { MailTime } from './mail-time.tsx'

type ShownMail = MailContent & Partial<Pick<Mail, 'created_at'>>

type MailMessageProps = {
  query: UseQueryResult<ShownMail>
  /** Where its HTML is a page. */
  pagePath: string
  /** On a narrow screen the list and the message are shown one at a time. */
  backTo: string
  onBack: () => void
}

/** One mail as its reader would see it: as plain text, with its headers and attachments. */
export function MailMessage({ query, pagePath, backTo, onBack }: MailMessageProps) {
  const { data: mail, error, refetch } = query
  const article = useRef<HTMLElement>(null)
  // When it is chosen far down the page, it would open above the visible part.
  useEffect(() => {
    const top = article.current?.getBoundingClientRect().top ?? 0
    if (top < 0) article.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <article
      ref={article}
      aria-label="Email"
      className="min-w-0 scroll-mt-4 rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <Button variant="ghost" size="sm" className="mb-3 -ms-2 md:hidden" onClick={onBack}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {backTo}
      </Button>
      {mail === undefined && error === null && <LoadingState text="Loading email..." />}
      {mail === undefined && error !== null && (
        <ErrorState title="Failed to load email" hint={error.message} onRetry={() => refetch()} />
      )}
      {mail !== undefined && <MailParts mail={mail} pagePath={pagePath} />}
    </article>
  )
}

type View = 'html' | 'text' | 'headers' | 'attachments'

function MailParts({ mail, pagePath }: { mail: ShownMail; pagePath: string }) {
  const [view, setView] = useState<View>('html')
  return (
    <>
      <h2 className="text-xl font-semibold break-words">{mail.subject}</h2>
      <dl className="mt-2 mb-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
        <Header name="To">{mail.to}</Header>
        <Header name="From">{mail.from}</Header>
        {mail.reply_to !== null && <Header name="Reply to">{mail.reply_to}</Header>}
        {mail.created_at !== undefined && (
          <Header name="When">
            <MailTime at={mail.created_at} />
          </Header>
        )}
      </dl>
      <Tabs<View>
        label="Parts of the email"
        value={view}
        onChange={setView}
        tabs={[
          { id: 'html', label: 'HTML', panel: <MailFrame subject={mail.subject} path={pagePath} /> },
          {
            id: 'text',
            label: 'Text',
            panel: (
              <pre dir="ltr" className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">
                {mail.text}
              </pre>
            ),
          },
          { id: 'headers', label: 'Headers', panel: <MailHeaders mail={mail} /> },
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

/** The sent headers, except those that the transport writes. */
function MailHeaders({ mail }: { mail: ShownMail }) {
  const headers = {
    'Message-ID': mail.message_id,
    From: mail.from,
    To: mail.to,
    ...(mail.reply_to !== null && { 'Reply-To': mail.reply_to }),
    Subject: mail.subject,
    ...mail.headers,
  }
  return (
    <dl className="grid gap-x-4 gap-y-2 font-mono text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
      {Object.entries(headers).map(([name, value]) => (
        <Header key={name} name={name}>
          {value}
        </Header>
      ))}
    </dl>
  )
}

function Header({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="wrap-anywhere">
        {/* In a page from right to left, "Name <mail>" would lose its brackets. */}
        <bdi dir="ltr">{children}</bdi>
      </dd>
    </>
  )
}
