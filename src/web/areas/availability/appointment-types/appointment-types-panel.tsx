import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { LoadError } from '#web/kit/load-error.tsx'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { useEditedRecord } from '#web/kit/use-edited-record.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { AppointmentTypeCard } from './appointment-type-card.tsx'
import { AppointmentTypeDialog } from './appointment-type-dialog.tsx'
import { locationOptionsQuery } from './appointment-type-queries.ts'
import { AppointmentTypesPlaceholder } from './appointment-types-placeholder.tsx'
import { DeleteAppointmentTypeDialog } from './delete-appointment-type-dialog.tsx'
import { findAppointmentTypeDraft } from './use-save-appointment-type.ts'

/** What customers of a calendar can book. Source: rule C12. */
export function AppointmentTypesPanel({ calendarId }: { calendarId: string }) {
  const { data, error, refetch } = useQuery(appointmentTypesQuery(calendarId))
  const { data: places } = useQuery(locationOptionsQuery(calendarId))
  const types = data?.appointment_types
  const dialog = useEditedRecord<AppointmentType>(() => findAppointmentTypeDraft(calendarId))
  const { edit } = dialog
  const [doomed, setDoomed] = useState<AppointmentType | null>(null)
  const [deleting, setDeleting] = useState(false)

  return (
    <Card
      title="Appointment Types"
      description="What customers can book, and how long each takes."
      actions={
        <Button variant={types?.length === 0 ? 'secondary' : 'primary'} onClick={() => edit(null)}>
          <Plus aria-hidden="true" className="size-5" />
          Add Type
        </Button>
      }
    >
      {types === undefined && error === null && (
        <LoadingShape text="Loading appointment types...">
          <AppointmentTypesPlaceholder />
        </LoadingShape>
      )}
      {types === undefined && error !== null && (
        <LoadError
          error={error}
          title="Failed to load appointment types"
          hint={error.message}
          onRetry={() => refetch()}
        />
      )}
      {types?.length === 0 && (
        <EmptyState
          title="No appointment types created yet"
          hint="Until there is one, every appointment takes 30 minutes."
          action={
            <Button variant="primary" onClick={() => edit(null)}>
              Create your first appointment type
            </Button>
          }
        />
      )}
      {types !== undefined && types.length > 0 && (
        <ul className="flex flex-col gap-3">
          {types.map((type) => (
            <li key={type.id}>
              <AppointmentTypeCard
                type={type}
                primary={places?.primary ?? null}
                onEdit={() => edit(type)}
                onDelete={() => {
                  setDoomed(type)
                  setDeleting(true)
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <AppointmentTypeDialog
        key={dialog.key}
        calendarId={calendarId}
        type={dialog.record}
        providers={{
          stripe_connected: data?.stripe_connected ?? false,
          paypal_connected: data?.paypal_connected ?? false,
        }}
        open={dialog.open}
        onOpenChange={dialog.setOpen}
      />
      {doomed !== null && (
        <DeleteAppointmentTypeDialog type={doomed} open={deleting} onOpenChange={setDeleting} />
      )}
    </Card>
  )
}
