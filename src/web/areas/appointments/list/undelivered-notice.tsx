import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarScope } from '#web/kit/calendar-scope.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AppointmentItem } from './appointment-item.tsx'
import { undeliveredMessagesQuery } from './appointment-queries.ts'

/**
 * Warns that some of the messages could not be delivered, and lists them. Renders nothing if there are none, or
 * if they fail to load, because each appointment shows its undelivered messages, too. Source: rule M9.
 */
export function UndeliveredNotice({ scope }: { scope: CalendarScope }) {
  const { data } = useQuery(undeliveredMessagesQuery(scope))
  const [open, setOpen] = useState(false)
  const { messages, appointments } = data ?? { messages: 0, appointments: [] }
  if (messages === 0 && !open) return null
  return (
    <>
      {messages > 0 && (
        <Notice
          tone="danger"
          className="mb-4"
          title={`${counted(messages)} couldn’t be delivered`}
          action={<Button onClick={() => setOpen(true)}>{messages === 1 ? 'Show it' : 'Show them'}</Button>}
        >
          We tried for three days.{' '}
          {messages === 1
            ? 'Please contact the customer yourself, or send the message again.'
            : 'Please contact the customers yourself, or send the messages again.'}
        </Notice>
      )}
      <Dialog open={open} onOpenChange={setOpen} title="Undelivered messages">
        {appointments.length === 0 && <p role="status">Every message has been delivered or is on its way.</p>}
        <ul
          aria-label="Appointments with undelivered messages"
          className="@container -my-5 divide-y divide-line"
        >
          {appointments.map((appointment) => (
            <li key={appointment.id}>
              <AppointmentItem appointment={appointment} />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}

function counted(messages: number): string {
  return messages === 1 ? '1 message' : `${messages} messages`
}
