import { useId } from 'react'
import type { Location } from '#contract/availability/locations.ts'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { KnownLocations } from './known-locations.tsx'
import { LocationFields } from './location-fields.tsx'
import { LOCATION_LABELS } from './location-form.ts'
import { useAddLocation } from './use-add-location.ts'
import { useSaveLocation } from './use-save-location.ts'

type LocationDialogProps = {
  calendarId: string
  /** The location to edit, or null to add one. Give the dialog a `key`, so that it starts anew for another one. */
  location: Location | null
  /** The owner's locations that the calendar does not have. */
  others: readonly Location[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Adds a location to the calendar, or edits one. Source: rule L1. */
export function LocationDialog({ calendarId, location, others, open, onOpenChange }: LocationDialogProps) {
  const formId = useId()
  const known = useAddLocation(calendarId)
  const record = useSaveLocation(calendarId, location, () => onOpenChange(false))
  const { form, save, giveUp } = record
  const { isSubmitting } = form.formState
  const close = (next: boolean) => {
    giveUp()
    onOpenChange(next)
  }
  const isNew = location === null
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={isNew ? 'Add Location' : 'Edit Location'}
      description={isNew ? undefined : 'Appointments keep the name and address that they were booked with.'}
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => close(false)}
          pending={isSubmitting}
          pendingLabel={isNew ? 'Adding...' : 'Saving...'}
        >
          {isNew ? 'Add Location' : 'Save'}
        </FormButtons>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="flex flex-col gap-5">
        <FormNotices record={record} labels={LOCATION_LABELS} />
        <LocationFields form={form} location={location}>
          {isNew && (
            <KnownLocations
              locations={others}
              typed={form.watch('name')}
              pending={known.isPending}
              onChoose={({ id }) => known.mutate({ location_id: id }, { onSuccess: () => close(false) })}
            />
          )}
        </LocationFields>
      </form>
    </Dialog>
  )
}
