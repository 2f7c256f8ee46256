import type { MailsResponse } from '#contract/mailbox.ts'
import { MailTime } from './mail-time.tsx'

type MailListProps = {
  mails: MailsResponse['mails']
  selectedId: string | undefined
  onSelect: (id: string) => void
}

/** Subject, addressee and time of each mail, newest first. */
export function MailList({ mails, selectedId, onSelect }: MailListProps) {
  return (
    <ul
      aria-label="Emails"
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
    >
      {mails.map((mail) => (
        <li key={mail.id}>
          <button
            type="button"
            aria-current={mail.id === selectedId ? 'true' : undefined}
            onClick={() => onSelect(mail.id)}
            className="block w-full border-s-4 border-transparent px-4 py-3 text-start -outline-offset-2 hover:bg-sunken aria-[current]:border-noon aria-[current]:bg-sunken"
          >
            <span className="block font-semibold break-words">{mail.subject}</span>
            <span className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-soft">
              <bdi dir="ltr" title={mail.to} className="min-w-0 truncate">
                {mail.to}
              </bdi>
              <MailTime at={mail.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
