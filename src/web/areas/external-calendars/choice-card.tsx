import type { Calendar } from '#contract/calendars/calendars.ts'
import type {
  CalendarConnection,
  ExternalCalendar,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import { isolate } from '#core/shared/text.ts'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { ReadElsewhere } from './read-elsewhere.tsx'
import { useChoice } from './use-choice.ts'
import { useSaveSettings } from './use-save-settings.ts'
import { WriteChoice } from './write-choice.tsx'

type ChoiceCardProps = { calendar: Calendar; external: ExternalCalendars }

/** Which external calendars are read, which one is written to, and how much it is told. Source: rules G2 and G9. */
export function ChoiceCard({ calendar, external }: ChoiceCardProps) {
  const { choice, choose } = useChoice(calendar.id, external)
  const { settings, save } = useSaveSettings(calendar.id, external.settings)
  const accounts = external.connections.filter(({ state }) => state !== 'revoked')
  const toggle = ({ id }: ExternalCalendar, isRead: boolean) =>
    choose({ ...choice, reads: isRead ? [...choice.reads, id] : choice.reads.filter((read) => read !== id) })
  return (
    <Card
      title="Your calendars"
      description={`How ${calendar.name} uses the calendars of your accounts. What you choose is saved at once.`}
    >
      <ReadElsewhere calendar={calendar} external={external} />
      <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        <div className="flex flex-col gap-6">
          {accounts.map((account, index) => (
            <fieldset key={account.id} className="flex flex-col gap-3">
              <legend className="mb-3">
                <span className={index === 0 ? 'block font-semibold' : 'sr-only'}>Count as busy</span>
                <span className="block text-sm wrap-anywhere text-ink-soft">{account.account_name}</span>
              </legend>
              {account.calendars.map((own) => (
                <CalendarCheckbox
                  key={own.id}
                  calendar={own}
                  checked={choice.reads.includes(own.id)}
                  onChange={(isRead) => toggle(own, isRead)}
                />
              ))}
              {account.calendars.length === 0 && <NoCalendars account={account} />}
            </fieldset>
          ))}
        </div>
        <div className="flex flex-col gap-6">
          <WriteChoice
            calendar={calendar}
            accounts={accounts}
            value={choice.writes}
            onChange={(writes) => choose({ ...choice, writes })}
          />
          <Switch
            label="Hide customer details"
            hint="Events are called ‘Booked’ and say nothing about the customer. For calendars that others can see. On at first for therapists, doctors and lawyers."
            checked={settings.hide_customer}
            onChange={(hide_customer) => save({ hide_customer })}
          />
        </div>
      </div>
    </Card>
  )
}

type CalendarCheckboxProps = {
  calendar: ExternalCalendar
  checked: boolean
  onChange: (checked: boolean) => void
}

function CalendarCheckbox({ calendar, checked, onChange }: CalendarCheckboxProps) {
  const { name, color, is_gone, read_by_other } = calendar
  const alreadyCounts =
    read_by_other !== null && `Counts already, because ${isolate(read_by_other.name)} reads it.`
  return (
    <Checkbox
      className="min-w-0"
      label={
        <>
          {color !== null && (
            <span
              aria-hidden="true"
              className="me-2 inline-block size-3 rounded-full border border-line-strong"
              style={{ backgroundColor: color }}
            />
          )}
          {name}
        </>
      }
      hint={is_gone ? 'It is not there any more.' : alreadyCounts}
      checked={checked}
      onChange={onChange}
    />
  )
}

function NoCalendars({ account }: { account: CalendarConnection }) {
  return (
    <p className="text-ink-soft">
      {account.last_success_at === null
        ? 'Its calendars appear here after the first check.'
        : 'This account has no calendars.'}
    </p>
  )
}
