import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarScope } from '#web/kit/calendar-scope.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'
import { CircleAlert } from '#web/ui/icons/circle-alert.ts'
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
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="mb-4 flex min-h-11 w-full items-center gap-2.5 rounded-control bg-danger-soft px-3 py-1.5 text-start font-semibold text-danger hover:underline"
        >
          <CircleAlert aria-hidden="true" className="size-5 shrink-0" />
          <span className="flex-1 max-sm:text-sm">{counted(messages)} couldn’t be delivered</span>
          <ChevronRight aria-hidden="true" className="size-5 shrink-0 rtl:-scale-x-100" />
        </button>
      )}
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Undelivered messages"
        description={
          messages === 0
            ? undefined
            : `We tried for three days. ${
                messages === 1
                  ? 'Please contact the customer yourself, or send the message again.'
                  : 'Please contact the customers yourself, or send the messages again.'
              }`
        }
      >
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
