import { connectIcsBody } from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { callApi } from '#web/shared/call-api.ts'
import { TextField } from '#web/ui/field.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { useAccountForm } from './use-account-form.ts'

type AddressDialogProps = { calendarId: string; open: boolean; onOpenChange: (open: boolean) => void }

/** The address of a calendar file, which is only read. */
export function AddressDialog({ calendarId, open, onOpenChange }: AddressDialogProps) {
  const { form, connect } = useAccountForm({
    calendarId,
    schema: connectIcsBody,
    empty: { url: '' },
    fields: ['url'],
    fieldOf: (code) => (code.startsWith('external_calendar.') ? 'url' : null),
    send: (body) => callApi(at.connectIcs, { params: { id: calendarId }, body }),
    connected: 'Calendar address added',
    onDone: () => onOpenChange(false),
  })
  const { errors, isSubmitting } = form.formState
  return (
    <AccountDialog
      title="Add a calendar address"
      description="The address is stored encrypted, because whoever knows it can read the calendar."
      submit="Add address"
      open={open}
      onOpenChange={onOpenChange}
      onSubmit={connect}
      pending={isSubmitting}
      problem={errors.root?.message}
    >
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
    </AccountDialog>
  )
}
