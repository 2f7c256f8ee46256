import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { MailboxPage } from '#web/areas/mailbox/mailbox-page.tsx'

const mailboxApi = getRouteApi('/sandbox/mail')

/** `/sandbox/mail`; the chosen mail is in the address. */
export function MailboxRoute() {
  const { id } = mailboxApi.useSearch()
  const navigate = useNavigate()
  return (
    <MailboxPage
      selectedId={id}
      onSelect={(next) =>
        navigate({ to: '/sandbox/mail', search: next === undefined ? {} : { id: next }, resetScroll: false })
      }
    />
  )
}
