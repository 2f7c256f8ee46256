import { Fragment } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type {
  CalendarConnection,
  ExternalCalendar,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { paths } from '#web/shared/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { listOtherCalendarsOfPerson } from './account-use.ts'
import { type ConsentProvider, hasConsentPage } from './provider-words.ts'
import { useOpenConsentPage } from './use-authorize.ts'
import { useExternalCalendarChoice } from './use-choice.ts'
import { useSaveExternalCalendarSetting } from './use-save-settings.ts'

type ChoiceCardProps = { calendar: Calendar; external: ExternalCalendars }

/**
 * Lets the owner choose which external calendars are read, which one appointments are written to, and whether customer
 * details are hidden there. Source: rules G2 and G9.
 */
export function ExternalCalendarChoiceCard({ calendar, external }: ChoiceCardProps) {
  const { choice, choose } = useExternalCalendarChoice(calendar.id, external)
  const { settings, save } = useSaveExternalCalendarSetting(calendar.id, external.settings)
  const accounts = external.connections.filter(({ state }) => state !== 'revoked')
  const toggle = ({ id }: ExternalCalendar, isRead: boolean) =>
    choose({ ...choice, reads: isRead ? [...choice.reads, id] : choice.reads.filter((read) => read !== id) })
  return (
    <Card
      title="Your calendars"
      description={`How ${calendar.name} uses the calendars in your accounts. We save your choices right away.`}
    >
      <ReadElsewhere calendar={calendar} external={external} />
      <div className="grid gap-x-10 gap-y-8 @2xl:grid-cols-2">
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
            hint="Events are titled ‘Booked’ and don’t mention the customer. Use this for calendars other people can see. On by default for therapists, doctors and lawyers."
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
    read_by_other !== null && `Already counts, because ${wrapInBidiIsolates(read_by_other.name)} reads it.`
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
      hint={is_gone ? 'It no longer exists.' : alreadyCounts}
      checked={checked}
      onChange={onChange}
    />
  )
}

function NoCalendars({ account }: { account: CalendarConnection }) {
  return (
    <p className="text-ink-soft">
      {account.last_success_at === null
        ? 'Its calendars will appear here after the first check.'
        : 'This account has no calendars.'}
    </p>
  )
}

/** The value of the option "None": appointments are not written to any calendar. Never equal to a calendar's id. */
const NOWHERE = 'none'

type WriteChoiceProps = {
  calendar: Calendar
  accounts: readonly CalendarConnection[]
  value: string | null
  onChange: (externalCalendarId: string | null) => void
}

/** Lets the owner choose the calendar that appointments are written to, and grant write access if an account lacks it. */
function WriteChoice({ calendar, accounts, value, onChange }: WriteChoiceProps) {
  const writable = accounts.flatMap(({ account_name, calendars, can_write: isAllowed }) =>
    calendars
      // Keep the selected calendar in the list even if it is no longer writable.
      .filter(({ can_write, is_gone, id }) => (isAllowed && can_write && !is_gone) || id === value)
      .map(({ id, name, is_gone }) => ({
        value: id,
        label: name,
        hint: is_gone ? 'It no longer exists. Please choose another one.' : unlessSame(account_name, name),
      })),
  )
  const readOnly = accounts.filter(({ can_write, provider }) => !can_write && hasConsentPage(provider))
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

/** Returns the account's name, unless the calendar has the same, as the main calendar of a Google account has. */
function unlessSame(accountName: string, calendarName: string): string | undefined {
  return accountName === calendarName ? undefined : accountName
}

function AllowWriting({ calendar, account }: { calendar: Calendar; account: CalendarConnection }) {
  // The caller passes only accounts whose provider has a consent page.
  const provider = account.provider as ConsentProvider
  const { authorize, isLeaving } = useOpenConsentPage(calendar.id, provider)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-sunken px-4 py-3">
      <p className="min-w-0 flex-1 basis-48 text-sm">
        <span className="wrap-anywhere">{account.account_name}</span> only lets us read.
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

type ReadElsewhereProps = { calendar: Calendar; external: ExternalCalendars }

/** Explains that events read by the person's other calendars also block times in this calendar. Source: rule G32. */
function ReadElsewhere({ calendar, external }: ReadElsewhereProps) {
  const others = listOtherCalendarsOfPerson(external)
  if (others.length === 0) return null
  return (
    <Notice className="mb-6">
      <span className="wrap-anywhere">
        What counts as busy for{' '}
        {others.map(({ id, name }, index) => (
          <Fragment key={id}>
            {separator(index, others.length)}
            <a
              href={paths.calendarSettings(id, 'integrations')}
              className="rounded-sm font-semibold text-link underline underline-offset-4"
            >
              {name}
            </a>
          </Fragment>
        ))}{' '}
        counts here, too, because {others.length === 1 ? 'both' : 'all of them'} are calendars of{' '}
        {calendar.person.name}.
      </span>
    </Notice>
  )
}

function separator(index: number, count: number): string {
  if (index === 0) return ''
  return index === count - 1 ? ' and ' : ', '
}
