import { useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { AllCustomerAppointments } from './all-appointments.tsx'
import { EmailedCodeForm } from './code-form.tsx'
import type { ManageSectionProps } from './manage-part-props.ts'
import { CustomerDataSection } from './own-data.tsx'

/**
 * Lets the customer see all their appointments and download or erase their data, after they have entered an emailed
 * code. Source: rules R8 to R11.
 */
export function CustomerRecordSection({ token, view, onChanged }: ManageSectionProps) {
  // True if the session has expired since the page was loaded.
  const [isOver, setOver] = useState(false)
  const { email_hint: emailHint } = view.customer
  if (emailHint === null) return null
  const calendarName = view.appointment.calendar_name
  const confirm = async () => {
    await onChanged()
    setOver(false)
  }
  return (
    <Card
      title="All your appointments and your data"
      description={`See every appointment with ${calendarName}, and download or erase your data.`}
    >
      {view.is_confirmed && !isOver ? (
        <div className="grid gap-6">
          <AllCustomerAppointments token={token} onSessionOver={() => setOver(true)} />
          <CustomerDataSection
            token={token}
            calendarName={calendarName}
            onChanged={onChanged}
            onSessionOver={() => setOver(true)}
          />
        </div>
      ) : (
        <EmailedCodeForm token={token} emailHint={emailHint} onConfirmed={confirm} />
      )}
    </Card>
  )
}
