import { useQuery } from '@tanstack/react-query'
import { SANDBOX_PAGES } from '#contract/app-pages.ts'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { paths } from '#web/shared/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { MailColumns } from './mail-columns.tsx'
import { MailList } from './mail-list.tsx'
import { MailMessage } from './mail-message.tsx'
import { mailPages, mailQuery, mailsQuery } from './mail-queries.ts'

type MailboxPageProps = {
  selectedId: string | undefined
  onSelect: (id: string | undefined) => void
}

/** The mailbox of development: every mail that would have been sent. */
export function MailboxPage({ selectedId, onSelect }: MailboxPageProps) {
  useDocumentTitle(SANDBOX_PAGES['/sandbox/mail'])
  const { data: mails, error, refetch } = useQuery(mailsQuery)
  return (
    <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 px-4 sm:px-6 py-8">
      <h1 className="text-3xl">Mailbox</h1>
      <Notice tone="info">
        Sandbox: these emails were not sent. They are kept here because no mail server is set up (SMTP_URL).
        All kinds of them, with made-up people, are in the{' '}
        <a href={`${paths.sandboxMail()}/gallery`} className="text-link underline underline-offset-4">
          gallery of messages
        </a>
        .
      </Notice>
      {mails === undefined && error === null && <LoadingState text="Loading emails..." />}
      {mails === undefined && error !== null && (
        <ErrorState title="Failed to load emails" hint={error.message} onRetry={() => refetch()} />
      )}
      {mails?.length === 0 && (
        <EmptyState title="No emails yet" hint="Register, or book an appointment: the email appears here." />
      )}
      {mails !== undefined && mails.length > 0 && (
        <MailColumns
          shows={selectedId === undefined ? 'list' : 'message'}
          list={<MailList mails={mails} selectedId={selectedId} onSelect={onSelect} />}
        >
          {selectedId === undefined ? (
            <p className="rounded-card border border-dashed border-line-strong p-10 text-center text-ink-soft">
              Choose an email to read it.
            </p>
          ) : (
            <KeptMail key={selectedId} id={selectedId} onBack={() => onSelect(undefined)} />
          )}
        </MailColumns>
      )}
    </main>
  )
}

function KeptMail({ id, onBack }: { id: string; onBack: () => void }) {
  return (
    <MailMessage
      query={useQuery(mailQuery(id))}
      pagePath={mailPages.kept(id)}
      backTo="All emails"
      onBack={onBack}
    />
  )
}
