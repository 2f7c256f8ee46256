import type { Calendar } from '#contract/calendars/calendars.ts'
import type { CalendarConnection } from '#contract/external-calendars/external-calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { asksForConsent, type ConsentProvider } from './provider-words.ts'
import { useAuthorize } from './use-authorize.ts'

/** The value of the choice that writes nowhere. No id is so. */
const NOWHERE = 'none'

type WriteChoiceProps = {
  calendar: Calendar
  accounts: readonly CalendarConnection[]
  value: string | null
  onChange: (externalCalendarId: string | null) => void
}

/** The one calendar that appointments are written to, and the second consent where an account does not allow it yet. */
export function WriteChoice({ calendar, accounts, value, onChange }: WriteChoiceProps) {
  const writable = accounts.flatMap(({ account_name, calendars, can_write: isAllowed }) =>
    calendars
      // The present choice is there, even when nothing can be written any more.
      .filter(({ can_write, is_gone, id }) => (isAllowed && can_write && !is_gone) || id === value)
      .map(({ id, name, is_gone }) => ({
        value: id,
        label: name,
        hint: is_gone ? 'It is not there any more. Please choose another one.' : account_name,
      })),
  )
  const readOnly = accounts.filter(({ can_write, provider }) => !can_write && asksForConsent(provider))
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        legend="Write appointments to"
        options={[{ value: NOWHERE, label: 'None' }, ...writable]}
        value={value ?? NOWHERE}
        onChange={(chosen) => onChange(chosen === NOWHERE ? null : chosen)}
      />
      {readOnly.map((account) => (
        <AllowWriting key={account.id} calendar={calendar} account={account} />
      ))}
    </div>
  )
}

function AllowWriting({ calendar, account }: { calendar: Calendar; account: CalendarConnection }) {
  // Only accounts with a consent page come here.
  const provider = account.provider as ConsentProvider
  const { authorize, isLeaving } = useAuthorize(calendar.id, provider)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-sunken px-4 py-3">
      <p className="min-w-0 flex-1 basis-48 text-sm">
        <span className="wrap-anywhere">{account.account_name}</span> allows us to read only.
      </p>
      <Button
        size="sm"
        pending={isLeaving}
        pendingLabel="Connecting..."
        onClick={() => authorize({ access: 'write', connection_id: account.id })}
      >
        Allow writing
      </Button>
    </div>
  )
}
