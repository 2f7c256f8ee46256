import { connectIcsBody } from '#contract/external-calendars.ts'
import { LIMITS } from '#contract/limits.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useAccountForm } from './use-account-form.ts'

type AddressFormProps = { calendarId: string; onDone: () => void }

/** The address of a calendar file, which is only read. */
export function AddressForm({ calendarId, onDone }: AddressFormProps) {
  const { form, connect } = useAccountForm({
    calendarId,
    schema: connectIcsBody,
    empty: { url: '' },
    fields: ['url'],
    fieldOf: (code) => (code.startsWith('external_calendar.') ? 'url' : null),
    send: (body) => callApi(at.connectIcs, { params: { id: calendarId }, body }),
    connected: 'Calendar address added',
    onDone,
  })
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate onSubmit={connect} className="flex flex-col gap-5">
      {errors.root?.message !== undefined && (
        <Notice tone="danger" role="alert">
          {errors.root.message}
        </Notice>
      )}
      <TextField
        label="Address of the calendar"
        required
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LIMITS.url}
        placeholder="https://example.com/calendar.ics"
        hint="Your calendar program shows it where you share or publish a calendar. It often ends with .ics."
        error={errors.url?.message}
        {...form.register('url')}
      />
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        pending={isSubmitting}
        pendingLabel="Connecting..."
      >
        Add address
      </Button>
    </form>
  )
}
